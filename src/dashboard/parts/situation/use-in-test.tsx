import type { AppProps } from '../../app/app.ts'
import { CopyButton } from '../../design/elements.tsx'
import { useAnswer } from '../../state/live.ts'

/** Copies how a test gets a scenario: a shipped one by its name, another one by its file. */
export function UseInTest({ app, name }: AppProps & { readonly name: string }) {
  const { value } = useAnswer(app, 'listScenarios', {}, 'changes')
  const isKnown = /\.(?:ya?ml|json)$/.test(name) || value?.scenarios.some(one => one.name === name)
  if (isKnown !== true) return null
  const flag = `--scenario ${/[^\w./-]/.test(name) ? `'${name}'` : name}`
  return (
    <CopyButton text={flag} notices={app.notices}>
      Use this in a test <code>{flag}</code>
    </CopyButton>
  )
}
