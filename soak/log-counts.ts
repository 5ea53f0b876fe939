import type { Readable } from 'node:stream'

/** What the JSON log of a server says. */
export interface LogCounts {
  calls: number
  /** Calls that the log left out, because its reader was slow. */
  dropped: number
  /** Answers that broke the contract. */
  contract: number
  /** Other lines after the first one. */
  readonly others: string[]
}

const prefix = Buffer.from('{"event":"call"')

/** Counts the lines of a log without keeping them. `onFirst` receives the first line. */
export function countLog(stream: Readable, onFirst: (line: string) => void): LogCounts {
  const counts: LogCounts = { calls: 0, dropped: 0, contract: 0, others: [] }
  let rest = Buffer.alloc(0)
  let isFirst = true
  stream.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      if (bytes.subarray(from, from + prefix.length).equals(prefix)) counts.calls += 1
      else if (isFirst) onFirst(bytes.toString('utf8', from, end))
      else countOther(bytes.toString('utf8', from, end), counts)
      isFirst = false
      from = end + 1
    }
    rest = Buffer.from(bytes.subarray(from))
  })
  return counts
}

function countOther(line: string, counts: LogCounts): void {
  const { event, calls }: { event: string; calls?: number } = JSON.parse(line)
  if (event === 'dropped') counts.dropped += calls ?? 0
  else if (event === 'contract') counts.contract += 1
  else if (counts.others.length < 5) counts.others.push(line)
}
