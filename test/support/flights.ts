import { readClock } from '../../src/base/time/clock.ts'
import { createEventRunner } from '../../src/control/change/run-event.ts'
import type { Command, ScenarioFile } from '../../src/control/scenario/file.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import type { Observer } from '../../src/emulator/journal/exchange.ts'
import { createConduct } from '../../src/judges/conduct/conduct.ts'
import { type ConductReport, reportConduct } from '../../src/judges/conduct/conduct-report.ts'
import { conductContext, plansOf } from '../../src/judges/conduct/judge-worlds.ts'
import type { ConductContext } from '../../src/judges/conduct/observed-call.ts'
import type { Connection, Reply } from '../../src/service/call/call.ts'
import { changing } from './changes.ts'
import { noon, scenarioOf } from './scenarios.ts'

/** How a call differs from the usual one: `GET /v1/pets` by `demo-free`, on a connection that is kept. */
export interface PilotCall {
  readonly key?: string | null
  /** undefined: the caller has every reply before it makes the next call. */
  readonly connection?: number | undefined
  /** Of a rehearsed fleet: whose address it goes to, and who makes it if that is another one. */
  readonly instance?: number
  readonly stranger?: number
  readonly headers?: readonly string[]
  readonly body?: string
}

/** Who flies: calls are made at the client's time, which passes by `wait` alone. */
export interface Pilot {
  readonly send: (line?: string, call?: PilotCall) => Reply
  /** The status of the answer. */
  readonly call: (line?: string, call?: PilotCall) => number
  readonly repeat: (times: number, call?: () => unknown, gapMs?: number) => void
  readonly wait: (ms: number) => void
  /** The client opens connections, all before their first call. */
  readonly open: (...connections: readonly number[]) => void
  /** The client closes a connection. The next call with its number opens another one. */
  readonly close: (connection: number) => void
  /** Milliseconds of the client's time since the start. */
  readonly elapsed: () => number
  readonly change: (command: Command, sandbox?: string) => void
  readonly emulator: Emulator
  /** On the emulator's clock. */
  readonly now: () => number
}

/** Judges each exchange of an emulator as it comes. */
export function watchConduct(
  { observe, sandboxes }: Emulator,
  hooks: Pick<ConductContext, 'onObserved' | 'onRestart'> = {},
): (flights?: boolean) => ConductReport {
  const conduct = createConduct({ ...conductContext(name => sandboxes.get(name), sandboxes), ...hooks })
  observe(conduct.add)
  return (flights = false) => reportConduct(conduct, { plans: plansOf(sandboxes), evicted: 0, flights })
}

/** What conduct says of a flight in a scenario, whose clock runs unless the scenario says otherwise. */
export function fly(
  scenario: ScenarioFile,
  flight: (pilot: Pilot) => void,
  observer: Observer = () => {},
): ConductReport {
  let now = noon
  const clock = { at: '2026-03-02T12:00:00.250Z' }
  const emulator = createEmulator({
    scenario: scenarioOf({ clock, ...scenario }),
    startedAt: now,
    runEvent: createEventRunner(),
  })
  const report = watchConduct(emulator)
  emulator.observe(observer)
  const change = changing(emulator)
  const connections = new Map<number, Connection>()
  let events = 0
  const nextEvent = () => {
    events += 1
    return events
  }
  const connect = (number: number): Connection => {
    const known = connections.get(number) ?? { opened: nextEvent() }
    connections.set(number, known)
    return known
  }
  const send: Pilot['send'] = (
    line = 'GET /v1/pets',
    { key = 'demo-free', connection = 1, headers = [], body, ...sender } = {},
  ) => {
    const [method = '', target = ''] = line.split(' ')
    const shown = key === null ? [] : ['Authorization', `Bearer ${key}`]
    const opened = connection === undefined ? undefined : Object.assign(connect(connection), sender)
    const reply = emulator.handle({
      method,
      target,
      headers: ['Host', '127.0.0.1:7387', ...shown, ...headers],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http',
      client: '127.0.0.1',
      connection: opened,
      receivedAt: now,
      order: nextEvent(),
    })
    if (opened !== undefined) opened.replied ??= nextEvent()
    return reply
  }
  const call: Pilot['call'] = (...given) => send(...given).status
  const wait = (ms: number) => {
    now += ms
  }
  flight({
    send,
    open: (...numbers) => {
      for (const number of numbers) connect(number)
    },
    close: number => {
      Object.assign(connect(number), { closedAt: now, replied: connect(number).replied ?? nextEvent() })
      connections.delete(number)
    },
    call,
    wait,
    elapsed: () => now - noon,
    emulator,
    now: () => readClock(emulator.sandboxes.default.clock, now),
    repeat: (times, act = () => call(), gapMs = 1) => {
      for (let made = 0; made < times; made += 1) {
        if (made > 0) wait(gapMs)
        act()
      }
    },
    change: (command, sandbox) => {
      const outcome = change(command, sandbox, now)
      if (!outcome.ok) throw new Error(outcome.refusal.message)
    },
  })
  return report(true)
}

/** `id ×count` of each finding, in order. */
export function idsOf({ findings }: Pick<ConductReport, 'findings'>): readonly string[] {
  return findings.map(({ id, count }) => (count === 1 ? id : `${id} ×${count}`))
}
