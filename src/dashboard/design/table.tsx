import type { ComponentChildren } from 'preact'

interface TableProps {
  readonly class?: string
  readonly heads: readonly ComponentChildren[]
  /** The rows. */
  readonly children: ComponentChildren
}

/** A table whose first row names its columns. */
export function Table({ heads, children, ...props }: TableProps) {
  return (
    <table {...props}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={`${index}`} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
