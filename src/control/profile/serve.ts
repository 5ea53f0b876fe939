import type { Line, Profile, Scenario } from '../../emulator/worlds/scenario.ts'
import { overlay } from '../scenario/extend.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { assumedSettings, isLatency, none, readSetting, settingAt } from './assumed.ts'
import { isWithin } from './merge.ts'

/** A scenario with the learned settings below it. Latency is served only if the scenario asks for it. */
export function underScenario(file: ScenarioFile, profile: Profile): ScenarioFile {
  const served = assumedSettings.reduce<ScenarioFile>((fields, { path, usual }) => {
    const value = servedValue(profile.learned[path], usual)
    return value === undefined ? fields : overlay(fields, settingAt(path, value))
  }, {})
  if (file.latency !== 'on') return overlay(served, file)
  const latencies = Object.entries(profile.learned).flatMap(([path, { value }]) =>
    isLatency(path) ? [[path.slice('latency.'.length), value]] : [],
  )
  return overlay(served, { ...file, latency: latencies.length === 0 ? 'off' : Object.fromEntries(latencies) })
}

/** What a line lets the emulator serve; undefined: the default. */
function servedValue(line: Line | undefined, usual: unknown): unknown {
  if (line === undefined) return undefined
  switch (line.state) {
    case 'bounded':
      return isWithin(usual, line) ? undefined : (line.atMost ?? line.atLeast)
    case 'contradicted':
      return present(line.values?.findLast(({ windows }) => windows > 1)?.value, usual)
    default:
      return present(line.value, usual)
  }
}

/** `none` is also the word of a choice, which has a default. */
function present(value: unknown, usual: unknown): unknown {
  return value === none && usual === undefined ? undefined : value
}

/** Where the value of a setting comes from. */
export type Source = 'scenario' | 'assumed' | Pick<Line, 'state' | 'last'>

export function sourceOf({ origin }: Pick<Scenario, 'origin'>, path: string): Source {
  if (origin !== undefined && readSetting(origin.given as ScenarioFile, path) !== undefined) return 'scenario'
  const line = origin?.profile?.learned[path]
  // Of these lines, no value is known.
  return line === undefined || line.state === 'contradicted' || line.state === 'other'
    ? 'assumed'
    : { state: line.state, last: line.last }
}

const behind: Readonly<Record<string, readonly string[]>> = {
  rate_limit_exceeded: ['limits.window', 'limits.headers', 'limits.retryAfter'],
  api_key_banned: ['bans.after', 'bans.for', 'bans.status', 'limits.retryAfter'],
  endpoint_removed: ['deprecation.removedAt', 'deprecation.after'],
}

/** Where the settings behind an error come from, as a sentence. Empty without a profile. */
export function sourcesBehind(scenario: Pick<Scenario, 'origin'>, code?: string): readonly string[] {
  const paths = [`errors.${code}`, ...(behind[code ?? ''] ?? [])]
  const own = assumedSettings.filter(({ path }) => paths.includes(path))
  if (scenario.origin?.profile === undefined || own.length === 0) return []
  const sources = own.map(({ path, assumption }) => {
    const source = sourceOf(scenario, path)
    if (typeof source === 'object') return `${path} was ${source.state} on ${source.last}`
    return source === 'scenario' ? `${path} is from the scenario` : `${path} is assumed (${assumption})`
  })
  return [`Of the settings behind it, ${sources.join(', ')}.`]
}

/** Each setting that fills a gap of the specification, with its value and its source. */
export function showFidelity(scenario: Pick<Scenario, 'origin'>) {
  const { given = {}, profile } = scenario.origin ?? {}
  const file = profile === undefined ? (given as ScenarioFile) : underScenario(given as ScenarioFile, profile)
  return assumedSettings.map(({ path, assumption, usual }) => {
    const source = sourceOf(scenario, path)
    const { state, last } = typeof source === 'string' ? { state: source, last: null } : source
    return { setting: path, assumption, value: readSetting(file, path) ?? usual ?? null, source: state, last }
  })
}

/** What `scenarioText` needs of a profile. */
export function learnedBelow(given: ScenarioFile, profile: Profile) {
  return {
    file: underScenario(given, profile),
    markOf: (path: string): string | undefined => {
      const source = sourceOf({ origin: { given, profile } }, path)
      return typeof source === 'string' ? undefined : `${source.state} on ${source.last}`
    },
  }
}
