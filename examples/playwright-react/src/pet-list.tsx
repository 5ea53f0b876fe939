import type { CSSProperties } from 'react'
import type { Pet } from './pet-service.ts'

export function PetList({ pets }: { readonly pets: readonly Pet[] }) {
  if (pets.length === 0) return <p className="empty">There is no such pet.</p>
  return (
    <ul className="pets">
      {pets.map(({ id, name, status }) => (
        <li key={id}>
          <span className="portrait" aria-hidden="true" style={{ '--hue': (id * 47) % 360 } as CSSProperties}>
            {[...name][0]}
          </span>
          <span className="name">{name}</span>
          <span className={`status ${status ?? 'unknown'}`}>{status ?? 'not known'}</span>
        </li>
      ))}
    </ul>
  )
}
