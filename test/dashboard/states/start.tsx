import '../../../src/dashboard/design/tokens.css'
import '../../../src/dashboard/design/base.css'
import '../../../src/dashboard/shell/shell.css'
import './fixtures.css'
import { untracked } from '@preact/signals'
import { render, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ComponentStates } from './states.ts'

const files = import.meta.glob<{ readonly all: readonly ComponentStates[] }>('./*.states.tsx', {
  eager: true,
})

/** Every state of every component, one below the other. */
function Fixtures() {
  return (
    <main class="fixtures">
      <h1>Fixtures</h1>
      {Object.values(files)
        .flatMap(({ all }) => all)
        .map(({ component, states }) => (
          <section key={component} aria-label={component}>
            <h2>{component}</h2>
            {Object.entries(states).map(([name, show]) => (
              <article key={name} aria-label={`${component}: ${name}`}>
                <h3>{name}</h3>
                <State show={show} />
              </article>
            ))}
          </section>
        ))}
    </main>
  )
}

/** Made once: an `App` that is made while a component renders would render it again and again. */
function State({ show }: { readonly show: () => VNode }) {
  return <div class="fixture">{useMemo(() => untracked(show), [show])}</div>
}

const root = document.getElementById('app')
if (root !== null) render(<Fixtures />, root)
