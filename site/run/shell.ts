/* Reads the commands of the examples on a page, and says which of them can run in the page. */

export interface CurlCall {
  /** The path and the query. */
  readonly target: string
  readonly method: string
  readonly headers: [name: string, value: string][]
  readonly body?: string
}

export type Action =
  /** Starts a server with a shipped scenario. */
  | { readonly does: 'start'; readonly scenario: string }
  | { readonly does: 'call'; readonly call: CurlCall }
  | { readonly does: 'command'; readonly args: readonly string[]; readonly input: string }
  | { readonly does: 'nothing'; readonly why: string }

export interface Command {
  /** As the page shows it. */
  readonly line: string
  readonly action: Action
}

export const server = 'http://127.0.0.1:7387'

/**
 * Reads the commands of the console blocks of a page, in their order. None runs after the start of a server that no page can have: what
 * follows it needs its files (`--openapi`), or the calls of an app in another page (`--cors`).
 */
export function readBlocks(texts: readonly string[]): readonly (readonly Command[])[] {
  let other: string | undefined
  return texts.map(text =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map(part => {
        const [line = ''] = part.split('\n')
        const action = readLine(line)
        if (isStart(line)) other = action.does === 'nothing' ? action.why : undefined
        return { line, action: other === undefined ? action : { does: 'nothing', why: other } }
      }),
  )
}

/** Whether a command of a block can show something in the page. */
export function isRunnable(block: readonly Command[]): boolean {
  return block.some(({ action: { does } }) => does === 'call' || does === 'command')
}

/** The commands of pet-mock that use a running server. */
const remote = /^(?:clock|keys|pets|rules|sandboxes|reset|requests|conduct|scenarios use)\b/

function isStart(line: string): boolean {
  return /^(?:npx )?pet-mock(?: -|$)/.test(line)
}

/** What a command does in the page. Nothing, if it starts a program, or reads or writes a file. */
function readLine(line: string): Action {
  const refuse = (why: string): Action => ({ does: 'nothing', why })
  const [, echoed, rest = line] = /^echo '([^']*)' \| (.*)$/.exec(line) ?? []
  if (/[|<>;&$`]/.test(rest.replace(/'[^']*'/g, ''))) return refuse('it needs a shell')
  const [program, ...words] = wordsOf(rest.replace(/^npx (?=pet-mock\b)/, ''))
  if (program === 'curl') return readCurl(words)
  if (program !== 'pet-mock') return refuse('it starts a program')
  if (isStart(rest)) {
    const [flag = '-s', scenario = 'free-plan', ...others] = words
    const isShipped = /^(?:-s|--scenario)$/.test(flag) && /^[\w-]+$/.test(scenario) && others.length === 0
    return isShipped ? { does: 'start', scenario } : refuse(`it needs a server with ${words.join(' ')}`)
  }
  if (!remote.test(words.join(' '))) return refuse('it needs more than a running server')
  if (words.some(word => /\.\w+$|^(?:--follow|-f)$/.test(word) && !/^\d/.test(word)))
    return refuse('it needs a file, or does not end')
  return { does: 'command', args: words, input: echoed ?? '' }
}

function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map(word => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

/** Reads what follows `curl`, as far as the examples need it. */
function readCurl(words: readonly string[]): Action {
  const headers: CurlCall['headers'] = []
  let call: Partial<CurlCall> = {}
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const value = () => rest.shift() ?? ''
    if (word === '-X') call = { ...call, method: value() }
    else if (word === '-d' || word === '--json') {
      const type = word === '-d' ? 'application/x-www-form-urlencoded' : 'application/json'
      headers.push(['Content-Type', type])
      call = { method: 'POST', ...call, body: value() }
    } else if (word === '-H') {
      const [name = '', text = ''] = value().split(/:\s*(.*)/s)
      headers.push([name, text])
    } else if (word.startsWith(server)) call = { ...call, target: word.slice(server.length) }
    else return { does: 'nothing', why: word === '-o' ? 'it writes a file' : `this page has no ${word}` }
  }
  const { target = '/', method = 'GET', body } = call
  return { does: 'call', call: { target, method, headers, ...(body !== undefined && { body }) } }
}

/** The targets of a pattern such as `?limit=[1-4]`, one after the other. */
export function expandTarget(target: string): readonly string[] {
  const [range, from, to] = /\[(\d+)-(\d+)\]/.exec(target) ?? []
  if (range === undefined) return [target]
  const [first, last] = [Number(from), Number(to)]
  return Array.from({ length: last - first + 1 }, (_, index) => target.replace(range, `${first + index}`))
}
