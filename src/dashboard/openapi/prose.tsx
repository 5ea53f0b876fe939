import { Table } from '../design/elements.tsx'

/** A description in Markdown. A link is text, too: its address comes from a file of somebody. */
export function Prose({ text }: { readonly text: string }) {
  const blocks = text
    .trim()
    .split(/\n\s*\n/)
    .filter(Boolean)
  return (
    <div class="prose">
      {blocks.map((block, index) => (
        <Block key={`${index} ${block}`} text={block} />
      ))}
    </div>
  )
}

function Block({ text }: { readonly text: string }) {
  const heading = /^#+\s+(.*)$/.exec(text)
  if (heading) return <h2>{heading[1]}</h2>
  if (text.startsWith('|')) return <Facts lines={text.split('\n')} />
  if (/^(?:```|~~~)/.test(text)) return <pre>{text}</pre>
  const items = text.split(/\n(?=\s*[-*]\s)/)
  if (items.every(item => /^\s*[-*]\s/.test(item)))
    return (
      <ul>
        {items.map(item => (
          <li key={item}>
            <Words text={item.replace(/^\s*[-*]\s+/, '')} />
          </li>
        ))}
      </ul>
    )
  return (
    <p>
      <Words text={text} />
    </p>
  )
}

/** The second line has the places of the columns only. */
function Facts({ lines }: { readonly lines: readonly string[] }) {
  const [heads = [], , ...rows] = lines.map(line => {
    const inner = line.trim().replace(/^\||\|$/g, '')
    return inner.split('|').map(cell => cell.trim())
  })
  return (
    <Table class="facts" heads={heads.map(cell => <Words key={cell} text={cell} />)}>
      {rows.map((row, line) => (
        <tr key={`${line} ${row.join()}`}>
          {row.map((cell, index) => (
            <td key={`${index} ${cell}`}>
              <Words text={cell} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

export function Words({ text }: { readonly text: string }) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)
  return (
    <>
      {parts.map((part, index) => {
        const key = `${index} ${part}`
        if (/^`.+`$/s.test(part)) return <code key={key}>{part.slice(1, -1)}</code>
        if (/^\*\*.+\*\*$/s.test(part)) return <b key={key}>{part.slice(2, -2)}</b>
        return part
      })}
    </>
  )
}
