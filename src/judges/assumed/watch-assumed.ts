import { httpDate } from '../../base/time/instant.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import { type AssumedSetting, assumedSettings, settingAt } from '../../control/profile/assumed.ts'
import { sourceOf, underScenario } from '../../control/profile/serve.ts'
import { overlay } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settleChecked } from '../../control/scenario/settle/settle.ts'
import type { CallContext } from '../../emulator/gates/call-context.ts'
import { passGates } from '../../emulator/gates/gates.ts'
import type { Decision } from '../../emulator/journal/exchange.ts'
import { finish } from '../../emulator/replies/finish-reply.ts'
import { RuleBook } from '../../emulator/rules/rule-book.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { looksOf, type World } from '../../emulator/worlds/world.ts'
import { copyKey } from '../../service/keys/key.ts'
import { copyWindows } from '../../service/limits/limiter.ts'
import type { Evidence, Finding } from '../report/finding.ts'
import { judgedFact, type Report } from '../report/report.ts'
import { commonChecks, settleChecks } from '../report/unjudged.ts'

export interface AssumedOptions {
  /** `inferred`: inferred settings are good enough, too. */
  readonly require: 'observed' | 'inferred'
  /** The paths of settings that may be assumed. */
  readonly allowed: readonly string[]
  readonly fixtures: Fixtures
}

/** What the gates read and write for one call, as it was before the call. */
type Before = ReturnType<typeof copyBefore>

/** Calls that are named. Further ones are counted. */
const mostCalls = 20

export type AssumedWatch = ReturnType<typeof watchAssumed>

/**
 * Finds the assumed settings on which responses rest: a response rests on a setting if another lawful value of it would have
 * changed its status, body or headers, `Date` aside. So each call is carried out again in copies of the world before it.
 */
export function watchAssumed(options: AssumedOptions) {
  const variants = new WeakMap<Scenario, readonly { readonly path: string; readonly scenario: Scenario }[]>()
  const found = new Map<string, { count: number; readonly calls: Evidence[] }>()
  let calls = 0
  const variantsOf = (scenario: Scenario) => {
    const known = variants.get(scenario)
    if (known !== undefined) return known
    const made = assumedIn(scenario, options).flatMap(({ path, samples }) =>
      samples.map(value => ({ path, scenario: withSetting(scenario, path, value, options.fixtures) })),
    )
    variants.set(scenario, made)
    return made
  }
  const judge = (context: CallContext, before: Before, decision: Decision, rest: Rest) => {
    calls += 1
    const { world, call, target } = context
    const real = textOf(context, world.dress?.(decision, context) ?? decision)
    const changed = new Set<string>()
    for (const { path, scenario } of variantsOf(world.scenario)) {
      if (changed.has(path)) continue
      const copy = copyOf(context, before, scenario)
      const other = passGates(copy, ...rest)
      // An open area answers later, and rests on a contract.
      if (other instanceof Promise) continue
      if (textOf(copy, copy.world.dress?.(other, copy) ?? other) !== real) changed.add(path)
    }
    for (const path of changed) {
      const entry = found.get(path) ?? { count: 0, calls: [] }
      found.set(path, entry)
      entry.count += 1
      const { status } = decision.answer
      const what = `${call.method} ${target.text} → ${status}`
      if (entry.calls.length < mostCalls)
        entry.calls.push({ what, detail: '', request: world.nextExchange, sandbox: world.sandbox })
    }
  }
  return {
    /** Passes the gates, and judges the response. */
    pass: (context: CallContext, ...rest: Rest): ReturnType<typeof passGates> => {
      const before = copyBefore(context)
      const decision = passGates(context, ...rest)
      if (!(decision instanceof Promise)) judge(context, before, decision, rest)
      return decision
    },
    report: (): Report => {
      const findings = assumedSettings.flatMap(({ path, assumption }): readonly Finding[] => {
        const entry = found.get(path)
        if (entry === undefined) return []
        const { count, calls: evidence } = entry
        const verb = count === 1 ? 'response rests' : 'responses rest'
        return [
          {
            id: assumedId,
            severity: 'error',
            title: `${count} ${verb} on ${path}, which pet-mock assumes.`,
            remedy: `Learn it from the service: pet-mock learn URL --key KEY. Or let the scenario give it, or allow it: --allow-assumed ${path}.`,
            source: `assumption ${assumption}`,
            count,
            evidence,
          },
        ]
      })
      const check = { id: assumedId, title: 'no response rests on an assumed setting' }
      return {
        judge: 'assumed',
        title: 'Assumptions that responses rest on',
        ...settleChecks({ checks: [check, ...commonChecks], findings, unjudged: [] }),
        facts: [judgedFact(calls, 'call', { none: 'no call was made' })],
        notes: [],
        flights: [],
      }
    },
  }
}

type Rest = Parameters<typeof passGates> extends readonly [unknown, ...infer R] ? R : never

/** The settings of a scenario that neither it nor its profile gives. */
function assumedIn(scenario: Scenario, { require, allowed }: AssumedOptions): readonly AssumedSetting[] {
  return assumedSettings.filter(({ path }) => {
    const source = sourceOf(scenario, path)
    if (source === 'scenario' || allowed.includes(path)) return false
    if (source === 'assumed' || source.state === 'bounded') return true
    return source.state === 'inferred' && require === 'observed'
  })
}

function withSetting(scenario: Scenario, path: string, value: unknown, fixtures: Fixtures): Scenario {
  const { given = {}, profile } = scenario.origin ?? {}
  const file = given as ScenarioFile
  const whole = profile === undefined ? file : underScenario(file, profile)
  const { pets, name } = scenario
  const { behaviour } = settleChecked(name, overlay(whole, settingAt(path, value)), fixtures, { pets })
  return { ...scenario, behaviour }
}

function copyBefore({ world, key, call }: CallContext) {
  const windows = world.anonymous.get(call.client)
  return {
    key: key && copyKey(key),
    windows: windows && copyWindows(windows),
    pets: world.pets.fork(),
    rules: world.rules.size === 0 ? undefined : world.rules.save(),
  }
}

/** The same call in a copy of the world before it, with other settings. */
function copyOf(context: CallContext, before: Before, scenario: Scenario): CallContext {
  const { call, world } = context
  const key = before.key && copyKey(before.key)
  const windows = before.windows && copyWindows(before.windows)
  const copy: World = {
    ...world,
    scenario,
    ...looksOf(scenario, before.pets.fork()),
    keys: key === undefined ? world.keys : new Map([...world.keys, [key.text, key]]),
    anonymous: new Map(windows && [[call.client, windows]]),
    rules: before.rules === undefined ? world.rules : RuleBook.restore(before.rules),
  }
  return { ...context, world: copy, key, counted: undefined, reached: undefined }
}

/** The response, without `Date`. */
function textOf({ caller, call, date }: CallContext, decision: Decision): string {
  const { answer, rate, intervention } = decision
  const reply = finish(answer, rate, httpDate(date), caller.corsHeaders, call.method, intervention)
  const named = Object.entries(reply.headers).filter(([name]) => name !== 'Date')
  return JSON.stringify([reply.status, reply.body, named.sort(([one], [other]) => (one < other ? -1 : 1))])
}

export const assumedId = 'assumed-setting'
