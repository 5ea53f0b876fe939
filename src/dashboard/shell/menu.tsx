import type { AppProps } from '../app/app.ts'
import { Icon } from '../design/basics.tsx'
import { partAt, partGroups } from '../parts/parts.ts'
import type { Answer } from '../plane/plane.ts'

/** `box`: what the server has to do with one. */
export type MenuProps = AppProps & { readonly box: Answer<'getHealth'>['box'] }

/** The pages by what people do there, the number of requests that came, and that of findings. */
export function Menu({ app, box }: MenuProps) {
  const here = partAt(app.places.at.value)
  const { findings = [], calls = 0, evicted = 0 } = app.conduct.value.value.value ?? {}
  const found = findings.filter(({ expected }) => expected !== true)
  const tone = found.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'
  const counts: Readonly<Record<string, number>> = { requests: calls + evicted, findings: found.length }
  return (
    <nav class="menu" aria-label="Parts">
      {Object.entries(partGroups).map(([name, parts]) => (
        <div key={name}>
          <p id={`menu-${name}`}>{name}</p>
          <ul aria-labelledby={`menu-${name}`}>
            {parts.map(part => {
              const { path, title, icon, isOfBox } = part
              const count = counts[path] ?? 0
              return isOfBox && box !== 'opened' ? null : (
                <li key={path}>
                  <a href={app.places.linkTo(path)} aria-current={part === here ? 'page' : undefined}>
                    <Icon name={icon} />
                    <span>{title}</span>
                    {count > 0 && (
                      <span class="count" data-tone={path === 'findings' ? tone : undefined}>
                        {count.toLocaleString('en')}
                      </span>
                    )}
                  </a>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}
