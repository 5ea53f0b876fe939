import type { AppProps } from '../app/app.ts'
import { Fold } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { type Part, partGroups } from '../parts/parts.ts'
import type { Answer } from '../plane/plane.ts'
import { partAt } from './part-page.tsx'

/** What the server has to do with a box. */
export type Box = Answer<'getHealth'>['box']

interface MenuProps extends AppProps {
  readonly box: Box
}

/** The pages by what people do there: watch, change, look up. */
export function Menu({ app, box }: MenuProps) {
  const here = partAt(app.places.at.value)
  return (
    <nav class="menu" aria-label="Parts">
      {partGroups.map(({ name, parts }) => (
        <div key={name}>
          <p id={`menu-${name}`}>{name}</p>
          <ul aria-labelledby={`menu-${name}`}>
            {parts
              .filter(({ isOfBox }) => isOfBox === undefined || box === 'opened')
              .map(part => (
                <li key={part.path}>
                  <a href={app.places.linkTo(part.path)} aria-current={part === here ? 'page' : undefined}>
                    <Icon name={part.icon} />
                    <span>{part.title}</span>
                    <Count app={app} part={part} />
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Where the page is narrow: the same menu behind a button that names the page. */
export function MenuFold({ app, box }: MenuProps) {
  const title = partAt(app.places.at.value)?.title ?? 'pet-mock'
  return (
    <Fold
      class="menu-fold"
      label="Menu"
      head={
        <>
          <Icon name="menu" />
          <span class="one-line">{title}</span>
        </>
      }
    >
      <Menu app={app} box={box} />
    </Fold>
  )
}

/** How many requests came, and how many findings the judges have. */
function Count({ app, part: { path } }: AppProps & { part: Part }) {
  const report = app.conduct.value.value.value
  if (report === undefined) return null
  const found = report.findings.filter(({ expected }) => expected !== true)
  const count = path === 'requests' ? report.calls + report.evicted : path === 'findings' ? found.length : 0
  if (count === 0) return null
  const isBad = path === 'findings' && found.some(({ severity }) => severity === 'error')
  return (
    <span class="count" data-tone={path === 'requests' ? undefined : isBad ? 'bad' : 'warn'}>
      {count.toLocaleString('en')}
    </span>
  )
}
