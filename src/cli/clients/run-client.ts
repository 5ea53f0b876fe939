import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { readClock } from '../../base/time/clock.ts'
import { type Fixtures, shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { overlay } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import type { HttpDoor, HttpDoorOptions } from '../../doors/server/http-door.ts'
import { nameRun } from '../../doors/server/load-admin.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Served } from '../../judges/box/box.ts'
import { conductContext } from '../../judges/conduct/judge-worlds.ts'
import type { ClientRun, CommandEnd } from '../../judges/rehearsal/client-run.ts'
import { watchMeeting } from '../../judges/rehearsal/meeting/meeting.ts'
import type { SituationClock } from '../../judges/rehearsal/rehearsal.ts'
import { createCallLog, createRunLog, type RunFacts } from '../../judges/rehearsal/run-log.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import { readFlags } from '../arguments/flag.ts'
import { type ServeValues, serveFlags } from '../arguments/serve-flags.ts'
import {
  baseHint,
  instanceVariable,
  type NamedVariable,
  situationVariable,
} from '../arguments/server-flags.ts'
import { createReporter, createTextMask } from '../log/reporter.ts'
import type { OpenApi } from '../start/load/load-openapi.ts'
import { createServedEmulator, openServedDoor, servedAs } from '../start/serve-emulator.ts'
import { readStat } from '../start/state/lock-owner.ts'
import type { Io } from '../terminal/io.ts'
import {
  type CommandOptions,
  type CommandRun,
  clientVariables,
  type NotRun,
  runCommand,
  stopped,
  withoutOwn,
} from './run-command.ts'
import { watchConduct } from './watch-conduct.ts'

export interface ClientSituation {
  /** The name of a shipped scenario, or the path of a file. */
  readonly name: string
  /** Merged with what it extends. */
  readonly scenario: ScenarioFile
}

export interface ClientOptions extends Omit<CommandOptions, 'env'> {
  /** Default: as the scenario says. */
  readonly clock?: SituationClock | undefined
  readonly fixtures?: Fixtures | undefined
  readonly openapi?: OpenApi | undefined
  /** Further flags of serve. It listens on a free port of 127.0.0.1 only. */
  readonly serve?: Partial<ServeValues> | undefined
  /** Not empty. */
  readonly command: readonly string[]
  readonly env?: readonly NamedVariable[]
  /** How many of the command run at once on one key, each with an address of its own. Undefined: one, without a number. */
  readonly instances?: number | undefined
  readonly onOpen?: (emulator: Emulator) => void
  /** The world starts with the first request. */
  readonly onStart?: (emulator: Emulator, served: Served) => void
}

export type ClientResult = { readonly ok: true; readonly run: ClientRun } | NotRun

/**
 * Runs a command with a server of its own in a situation, and judges its calls. Rejects with Node's system error if the
 * server cannot listen.
 */
export async function runClient(
  situation: ClientSituation,
  options: ClientOptions,
  io: Io,
): Promise<ClientResult> {
  const { emulator, openDoor, reporter } = openSituation(situation, options, io)
  const doors: HttpDoor[] = []
  const close = () => Promise.all(doors.map(door => door.close(0)))
  try {
    const instances = options.instances === undefined ? undefined : createInstances()
    const count = options.instances ?? 1
    while (doors.length < count) doors.push(await openDoor(instances?.watch(doors.length + 1)))
    const log = createRunLog(name => emulator.sandboxes.get(name))
    const reportConduct = watchConduct(emulator, reporter.failure, log)
    const meeting = watchMeeting(situation.name, situation.scenario)
    emulator.observe(meeting.add)
    const calls = createCallLog(
      conductContext(name => emulator.sandboxes.get(name), emulator.sandboxes).textOf,
    )
    emulator.observe(calls.add)
    options.onOpen?.(emulator)
    const { key } = emulator.sandboxes.default.scenario
    const runOne = (door: HttpDoor, at: number) => {
      const env = {
        ...withoutOwn(io.env),
        ...clientVariables(door, key, options.env ?? []),
        [situationVariable]: situation.name,
        ...(instances && { [instanceVariable]: `${at + 1}` }),
      }
      const onPid = (pid: number) => instances?.started(at + 1, pid)
      return runCommand(options.command, { ...options, env, onPid })
    }
    const ended = joinEnds(await Promise.all(doors.map(runOne)))
    await close()
    if (!ended.ok) return ended
    const { outcome, durationMs, output } = ended
    const endedAt = readClock(emulator.sandboxes.default.clock, ended.endedAt)
    const conduct = reportConduct()
    const mask = createTextMask(emulator.sandboxes.secrets, emulator.sandboxes)
    return {
      ok: true,
      run: {
        outcome,
        ...(ended.instances && { instances: ended.instances }),
        durationMs,
        output: mask(stripVTControlCharacters(output)),
        facts: log.facts(endedAt, conduct, emulator.metrics.calls.total),
        conduct,
        calls: calls.calls(),
        unmet: meeting.unmet(),
      },
    }
  } finally {
    await close()
  }
}

/** Starts an emulator for a situation, for doors to serve. Throws an error that lists what is wrong with the scenario. */
function openSituation({ name, scenario: file }: ClientSituation, options: ClientOptions, io: Io) {
  const { clock, fixtures = shippedFixtures, openapi, serve, onStart } = options
  // A frozen clock has no speed.
  const pace = clock && ('frozen' in clock ? { frozen: true, scale: null } : { frozen: null, ...clock })
  const whole = pace ? overlay(file, { clock: pace }) : file
  const loaded = { file: whole, scenario: settle(name, whole, fixtures), fixtures, openapi }
  const values = { ...readFlags(serveFlags, new Map(), {}).values, ...serve, host: '127.0.0.1', port: 0 }
  const secrets = createSecrets(values.mask)
  const reporter = createReporter('silent', io, secrets)
  const emulator = createServedEmulator(loaded, values, reporter, secrets)
  reporter.hideKeysOf(emulator.sandboxes)
  let hasStarted = false
  // The world starts at the first request: a command may take longer to start than an outage lasts on a fast clock.
  const onArrival = (now: number) => {
    if (hasStarted) return
    hasStarted = true
    emulator.sandboxes.startAnew(defaultSandbox, now)
    onStart?.(emulator, servedAs(values))
  }
  const start = nameRun()
  const openDoor = (onConnection?: HttpDoorOptions['onConnection']) =>
    openServedDoor(emulator, fixtures, values, reporter, { start, onArrival, onConnection })
  return { emulator, openDoor, reporter }
}

const hint = 'It finds the service in PET_MOCK_URL and PET_MOCK_KEY; --env gives them other names.'

/** Why the calm run of a command tries nothing, as the end of a sentence about the command. */
export function whyUntried({ calls, succeeded, outside }: RunFacts): string | undefined {
  if (outside > 0 && calls === 0) return `calls no path of the API. ${baseHint}`
  if (calls === 0) return `makes no calls. ${hint}`
  return succeeded === 0 ? `makes calls, but none succeeds, even with nothing disturbed. ${hint}` : undefined
}

/**
 * Knows which instance of a command opened a connection: by the address that it came to and, on Linux, by the session of the
 * process that has its other end. Each instance has its own session (setsid(2)).
 */
function createInstances() {
  const numbers = new Map<string, number>()
  return {
    started: (number: number, pid: number): void => {
      numbers.set(`${pid}`, number)
    },
    /** For the connections to the address of an instance. */
    watch:
      (number: number): HttpDoorOptions['onConnection'] =>
      (connection, socket) => {
        if (connection === undefined) return
        connection.instance = number
        const opener = numbers.get(sessionOf(socket, session => numbers.has(session)) ?? '')
        if (opener !== undefined && opener !== number) connection.stranger = opener
      },
  }
}

/** How the instances of a command ended, as one: like the first of the worst of them. */
function joinEnds(ends: readonly CommandRun[]): CommandRun & Pick<ClientRun, 'instances'> {
  const all = ends.flatMap((end, at) => (end.ok ? [{ ...end, number: at + 1 }] : []))
  const [worst] = all.toSorted((one, other) => rankOf(other) - rankOf(one))
  const notRun = ends.find(end => !end.ok)
  if (notRun !== undefined || worst === undefined) return notRun ?? stopped
  if (all.length === 1) return worst
  return {
    ...worst,
    endedAt: Math.max(...all.map(end => end.endedAt)),
    durationMs: Math.max(...all.map(end => end.durationMs)),
    output: worst.output && `Instance ${worst.number}:\n${worst.output}`,
    instances: all.map(end => end.outcome),
  }
}

function rankOf({ outcome }: { readonly outcome: CommandEnd }): number {
  // Signals have the highest codes.
  return outcome.kind === 'hung' ? Number.POSITIVE_INFINITY : outcome.exitCode
}

/** The session, one of these, of the process on this machine that opened a connection. Undefined: the system does not say. */
function sessionOf(socket: Socket, isKnown: (session: string) => boolean): string | undefined {
  try {
    const inode = inodeOf(socket)
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      const session = readStat(pid)?.session ?? ''
      if (isKnown(session) && hasSocket(pid, inode)) return session
    }
  } catch {
    // Other systems have no such files.
  }
  return undefined
}

/** Reads the inode of the client's end from `/proc/net/tcp`: after the addresses, it is the seventh column (proc(5)). */
function inodeOf({ remotePort, localPort }: Socket): number {
  const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0')
  const row = new RegExp(`^ *\\d+: \\w+:${hex(remotePort)} \\w+:${hex(localPort)} (?:\\S+ +){6}(\\d+)`, 'm')
  const find = (table: string) => row.exec(readFileSync(`/proc/net/${table}`, 'utf8'))?.[1]
  // An IPv6 socket may have an IPv4 connection.
  return Number(find('tcp') ?? find('tcp6'))
}

function hasSocket(pid: string, inode: number): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some(name => {
    const file = statSync(`${folder}/${name}`, { throwIfNoEntry: false })
    return file?.ino === inode && file.isSocket()
  })
}
