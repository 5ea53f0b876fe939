import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainEnvironment, root } from '../../program/pet-mock.ts'
import { type Cell, wordsOf } from './cells.ts'
import { type Programs, wordsOfProgram } from './programs.ts'
import type { Found, Seen } from './verdicts.ts'

export interface CellRun {
  readonly cell: Cell
  /** Missing if the client failed, with the reason in `output`. */
  readonly seen?: Seen
  readonly holds: boolean
  /** Whether the machine held up the client before its refusal, so that the wire could not show how it calls. */
  readonly isDisturbed: boolean
  /** The client's calls, with their times, or why there are none. */
  readonly output: string
}

interface JsonReport {
  readonly reports: readonly {
    readonly findings: readonly {
      readonly id: string
      readonly severity: string
      readonly count: number
      readonly title: string
      readonly remedy: string
      readonly evidence: readonly unknown[]
    }[]
    readonly unjudged: readonly { readonly count: number; readonly what: 'call' | 'check' }[]
  }[]
}

const command = `${root}dist/pet-mock.cjs`
const processes = fileURLToPath(new URL('clients/processes.mjs', import.meta.url))

/** No cell takes as long. */
const mostMs = 180_000

const underWay = new Set<ChildProcess>()
// A soak that is stopped leaves no server and no client behind.
process.once('exit', () => {
  for (const child of underWay) child.kill('SIGTERM')
})

export interface StartedCell {
  /** Resolves when the client waits for `go`, or has failed. */
  readonly ready: Promise<void>
  readonly go: () => void
  /** Resolves when the client has its first refusal, or ended without. */
  readonly refused: Promise<void>
  readonly ended: Promise<CellRun>
}

/** Starts a cell with the built command. `name` is unique in the folder. */
export function startCell(cell: Cell, programs: Programs, folder: string, name: string): StartedCell {
  const [scenario, report] = [join(folder, `${name}.json`), join(folder, `${name}-report.json`)]
  // A clock that runs fast announces short waits.
  const clock = { scale: Math.max(1, Math.floor(60 / cell.waitSeconds)) }
  writeFileSync(scenario, JSON.stringify({ extends: 'free-plan', clock, ...cell.scenario }))
  const words = [
    'exec',
    '--no-config',
    '-s',
    scenario,
    '--report',
    report,
    '--',
    ...clientWords(cell, programs),
  ]
  // Several processes start as far apart as their cell says, so they cannot wait for each other.
  if (cell.processes === undefined) {
    const child = start(words, folder)
    return {
      ready: outputOf(child, /^ready$/m),
      go: () => child.process.stdin.end(),
      refused: outputOf(child, / 429 /),
      ended: readRun(cell, child, report),
    }
  }
  const [going, go] = createGate()
  const child = going.then(() => {
    const started = start(words, folder)
    started.process.stdin.end()
    return started
  })
  return {
    ready: Promise.resolve(),
    go,
    refused: child.then(started => outputOf(started, / 429 /)),
    ended: child.then(started => readRun(cell, started, report)),
  }
}

function createGate(): readonly [Promise<void>, () => void] {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return [opened, open]
}

async function readRun(cell: Cell, child: Started, report: string): Promise<CellRun> {
  const code = await child.closed
  const output = child.output.text
  // The client ends with another code if it fails.
  if (!existsSync(report) || (code !== 0 && code !== 1) || /^\S*(?:Error|Exception)\b/m.test(output))
    // A server may end a kept connection as the next call comes on it: a client that was held up loses this race.
    return { cell, holds: false, isDisturbed: output.includes('ECONNRESET'), output }
  const seen = readSeen(code, JSON.parse(readFileSync(report, 'utf8')))
  rmSync(report)
  return { cell, seen, holds: cell.expected.holds(seen), isDisturbed: isDisturbed(cell, output), output }
}

/** Without other work, a call takes 1 to 5 ms, and the next one follows at once. */
const mostGapMs = 15

/**
 * From sending a call to the answer of the next one: so long, the server may have waited for the next one after its reply. The
 * first call is left out: Java loads its classes in it.
 */
function isDisturbed({ plan: { shape } }: Cell, output: string): boolean {
  const calls = [...output.matchAll(/^([\d.]+)-([\d.]+) (\d+) /gm)].map(([, sent, answered, status]) => ({
    sent: Number(sent),
    answered: Number(answered),
    status,
  }))
  const refused = calls.findIndex(({ status }) => status === '429')
  return calls.slice(1, refused + 1).some(({ sent, answered }, index) => {
    const before = calls[index]
    const since = shape === 'loop' && index > 0 && before !== undefined ? before.sent : sent
    return answered - since > mostGapMs
  })
}

function clientWords({ plan, processes: several }: Cell, programs: Programs): readonly string[] {
  const words = [...wordsOfProgram(plan.kind, programs), ...wordsOf(plan)]
  return several === undefined
    ? words
    : [process.execPath, processes, `${several.count}`, `${several.apart}`, ...words]
}

interface Started {
  readonly process: ChildProcessWithoutNullStreams
  readonly output: { text: string }
  readonly closed: Promise<number | null>
}

function start(args: readonly string[], cwd: string): Started {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { ...plainEnvironment(), NO_PROXY: '*', no_proxy: '*' },
  })
  underWay.add(child)
  // A client that failed reads no more.
  child.stdin.on('error', () => {})
  const timer = setTimeout(() => child.kill('SIGTERM'), mostMs)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output.text += text
    })
  const closed = once(child, 'close').then(([code]) => {
    clearTimeout(timer)
    underWay.delete(child)
    return code as number | null
  })
  return { process: child, output, closed }
}

/** Resolves when the output has a text, or has ended. */
async function outputOf({ process: { stdout }, output, closed }: Started, text: RegExp): Promise<void> {
  const [found, end] = createGate()
  const look = () => text.test(output.text) && end()
  stdout.on('data', look)
  await Promise.race([found, closed])
  stdout.off('data', look)
}

function readSeen(code: number, { reports }: JsonReport): Seen {
  const findings = reports
    .flatMap(report => report.findings)
    .map(({ id, severity, count, ...texts }): Found => ({ id, severity, count, text: JSON.stringify(texts) }))
  const open = reports.flatMap(({ unjudged }) => unjudged).filter(({ what }) => what === 'call')
  return { code, findings, unjudged: open.reduce((sum, { count }) => sum + count, 0) }
}
