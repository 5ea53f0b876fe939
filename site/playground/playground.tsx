import './playground.css'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { act, CallClient } from './call-client.tsx'
import { DashboardFrame } from './dashboard-frame.tsx'
import { readLink } from './link.ts'
import {
  call,
  explain,
  firstCall,
  form,
  near,
  readYaml,
  send,
  shown,
  situation,
  trouble,
  useScenario,
} from './mock.ts'
import { ScenarioChoice } from './scenario-choice.tsx'

/** The dashboard and the plane load after the first response. */
const isReady = signal(false)

function Playground({ base }: { readonly base: string }) {
  useEffect(() => {
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
  return (
    <>
      <p role="alert" class="trouble">
        {trouble.value}
      </p>
      <div class="desk">
        <section aria-label="Client">
          <ScenarioChoice />
          <CallClient />
        </section>
        <section aria-label="Dashboard" class="beside">
          {isReady.value ? (
            <DashboardFrame base={base} />
          ) : (
            <p>The dashboard comes after the first response.</p>
          )}
        </section>
      </div>
    </>
  )
}

/** Starts what the address holds, and makes its call. */
async function open(): Promise<void> {
  const { hash } = location
  const linked = hash === '' ? undefined : await readLink(hash)
  // The address has changed meanwhile.
  if (location.hash !== hash) return
  const { file = 'free-plan', call: first = firstCall } = typeof linked === 'object' ? linked : {}
  await act(async () => {
    if (linked !== undefined || shown.value !== undefined) await useScenario(file)
    form.value = first
    // A rule may delay the response.
    await Promise.race([send(call.value).then(explain), new Promise(resolve => setTimeout(resolve, 2_000))])
    if (typeof linked === 'string') trouble.value = linked
  })
  isReady.value = true
  // What is used later, for when the network is gone. A part that fails says so when it is used.
  await Promise.allSettled([
    situation(),
    ...['/scenarios/ban', '/contract.json', '/openapi.json'].map(path => near.send('GET', path, undefined)),
    readYaml('{}'),
    import('./editor.ts'),
    import('./complete.ts').then(({ completionsAt }) => completionsAt('')),
  ])
}

/** Shows the playground. `base`: the path of the site. Returns a function that takes it away. */
export function showPlayground(element: HTMLElement, base: string): () => void {
  render(<Playground base={base} />, element)
  void open()
  return () => render(null, element)
}
