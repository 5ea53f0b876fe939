import type { App } from '../../app/app.ts'
import { Table } from '../../design/table.tsx'
import { useAnswer } from '../../state/live.ts'

/** The settings that fill gaps of the specification, and where the value of each comes from. */
export function Settings({ app }: { readonly app: App }) {
  const { value } = useAnswer(app, 'getFidelity', { query: { sandbox: app.sandbox.value } }, 'changes')
  return (
    <details class="settings">
      <summary>Settings that the specification leaves open</summary>
      <Table heads={['Setting', 'Value', 'Source']}>
        {value?.settings.map(({ setting, assumption, value: own, source, last }) => (
          <tr key={setting}>
            <th scope="row">
              <code>{setting}</code>
            </th>
            <td>{own === null ? 'none' : <code>{JSON.stringify(own)}</code>}</td>
            <td class="muted">{last === null ? `${source} (${assumption})` : `${source} on ${last}`}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}
