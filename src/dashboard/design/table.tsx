import type { ComponentChildren, ComponentProps } from 'preact'

/** A table whose first row names its columns. `children`: the other rows. */
export function Table(props: ComponentProps<'table'> & { heads: readonly ComponentChildren[] }) {
  const { heads, children, ...others } = props
  return (
    <table {...others}>
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
