import { isObject } from '../../../base/json/is-object.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { formatCount } from '../../../base/text/quantities.ts'
import { formatDuration, parseDuration } from '../../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../../base/time/instant.ts'
import { showValue } from '../../../control/files/show.ts'
import { shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { settle, settleKey } from '../../../control/scenario/settle/settle.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { createLeftOut } from '../../../judges/exchanges/left-out.ts'
import { adviseFleet } from '../../../judges/fleet/advise.ts'
import type { Fleet } from '../../../judges/fleet/fleet.ts'
import { fleetReport, type PolicyFigures } from '../../../judges/fleet/fleet-report.ts'
import { type CreatePolicy, policies } from '../../../judges/fleet/policy.ts'
import { type FleetFile, groupOf, readFleetFile } from '../../../judges/fleet/read-fleet.ts'
import { mostCalls, type Simulation, simulate } from '../../../judges/fleet/simulate.ts'
import { defaultFailOn } from '../../../judges/report/finding.ts'
import { readText } from '../../../library/files/read-file.ts'
import { planTitle } from '../../../service/plans/plan.ts'
import { type Run, refuseUsage } from '../../arguments/command.ts'
import type { FlagValues } from '../../arguments/flag.ts'
import { sectionLines, writeReports } from '../../reports/write-reports.ts'
import { complaintsOf, failed, type Loading, loadText, typedPath } from '../../start/load/loading.ts'
import type { Io } from '../../terminal/io.ts'
import { createStatusLine } from '../../terminal/progress.ts'
import { cell, createPaint, jsonLine, printable, tableLines } from '../../terminal/text.ts'
import { loadByName } from '../../walkthroughs/load-by-name.ts'
import { readCalls } from '../compare-plans/run.ts'
import { type FleetValues, isModule } from './flags.ts'
import { BrokenPolicy, loadPolicy } from './own-policy.ts'

/** The key of groups that name none. */
const ownKey = 'fleet'

/** A Monday. */
const usualStart = Date.UTC(2026, 0, 5, 9)

const usualPolicies = ['retry-after', 'pause', 'bucket-shared']

export const run: Run<FleetValues> = async invocation => {
  const { values, complaints, words, io } = invocation
  const [path] = words
  const file = complaints.length > 0 ? failed() : await readFleet(path, values, io)
  const loaded = file.ok ? await settleFleet(file.value, invocation) : file
  const baseline = await readBaseline(values.baseline, io)
  const named = values.policy.length > 0 ? values.policy : (file.ok && file.value.policies) || usualPolicies
  const known = Object.keys(policies)
  const unknown = named
    .filter(name => !isModule(name) && !known.includes(name))
    .map(
      name =>
        `--policy: there is no policy ${showValue(name)}${suggest(name, known) || `; the policies are ${known.join(', ')}`}`,
    )
  const wrong = [...complaints, ...complaintsOf(loaded, baseline), ...unknown]
  if (!loaded.ok || !baseline.ok || wrong.length > 0) return refuseUsage(wrong, io)

  const fleet = loaded.value
  const progress = createStatusLine(io.stderr)
  const runs = new Map<string, Simulation>()
  try {
    for (const name of new Set(named)) {
      progress.show(`Simulating ${printable(name)} …`)
      runs.set(name, await simulateOne(fleet, name, io))
    }
  } catch (error) {
    progress.clear()
    if (error instanceof BrokenPolicy) return refuseUsage([error.message], io)
    throw error
  }
  progress.show('Looking for settings that are safe …')
  const figures = new Map([...runs].map(([name, one]) => [name, one.figures]))
  const advice = await adviseFleet(fleet, figures, mostCalls)
  progress.clear()

  const result = { policies: [...figures].map(([name, own]) => ({ name, ...own })), advice, seed: fleet.seed }
  const report = fleetReport(result, [...runs.values()], factsOf(fleet), baseline.value)
  if (values.json) io.stdout.write(`${jsonLine(result)}\n`)
  else {
    const paint = createPaint(io.stdout)
    const facts = report.facts.map(({ name, value }) => [cell(name, { style: 'bold' }), cell(value)])
    const tables = (report.tables ?? []).flatMap(table => [
      '',
      ...sectionLines(table, paint, io.stdout.columns),
    ])
    io.stdout.write(`${[...tableLines(facts, paint), ...tables].join('\n')}\n`)
  }
  const hasVerdict = !values.json && (baseline.value !== undefined || values.report.length > 0)
  const files = values.report.map(file => typedPath(file, io.env))
  const command = `pet-mock fleet ${invocation.typedWords.join(' ')}`.trim()
  const to = hasVerdict ? io.stdout : undefined
  return writeReports(
    [report],
    { failOn: defaultFailOn, files, to, onlyVerdict: baseline.value === undefined, command },
    io,
  )
}

async function simulateOne(fleet: Fleet, name: string, { env }: Io): Promise<Simulation> {
  const own = isModule(name) ? await loadPolicy(typedPath(name, env)) : undefined
  const create: CreatePolicy | undefined = own?.create ?? policies[name]
  if (create === undefined) throw new RangeError(`there is no policy ${name}`)
  try {
    return await simulate(fleet, { name, create, mostCalls })
  } finally {
    own?.end()
  }
}

async function readFleet(
  path: string | undefined,
  values: FleetValues,
  { env }: Io,
): Promise<Loading<FleetFile>> {
  const { instances, demand } = values
  if (path === undefined && instances !== undefined && demand !== undefined)
    return { ok: true, value: { groups: [{ instances, demand }] } }
  const flags = [
    ['--instances', instances, 'how many instances share the key, such as 20'],
    ['--demand', demand, 'the jobs of the whole fleet, such as 70/m'],
  ] as const
  if (path === undefined) {
    const missing = flags.filter(([, value]) => value === undefined)
    return failed(...missing.map(([flag, , what]) => `${flag} is missing: ${what}`))
  }
  const doubled = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  if (doubled.length > 0) return failed(`${doubled.join(' and ')}: the groups of ${path} say that`)
  const typed = typedPath(path, env)
  const unread = (reason: string) => `${path} cannot be read (${reason})`
  return loadText(typed, readText(typed), text => readFleetFile(typed, text), unread)
}

async function settleFleet(
  file: FleetFile,
  invocation: FlagValues<FleetValues> & { readonly io: Io },
): Promise<Loading<Fleet>> {
  const { values } = invocation
  const scenario = await loadScenario(values.scenario ?? file.scenario, invocation)
  if (!scenario.ok) return scenario
  const plan = values.plan ?? file.plan ?? 'free'
  const quota = scenario.value.plans.get(plan)
  const length = values.for ?? (file.for === undefined ? 86_400_000 : (parseDuration(file.for) ?? 0))
  const complaints = [
    ...(quota === undefined
      ? [`there is no plan ${showValue(plan)}; the plans are ${[...scenario.value.plans.keys()].join(', ')}`]
      : []),
    ...(length > 0 ? [] : ['--for: expected a duration above 0']),
    ...file.groups.flatMap(({ key }, place) =>
      key === undefined || scenario.value.keys.has(key)
        ? []
        : [
            `groups[${place}].key: the scenario has no key ${showValue(key)}${suggest(key, scenario.value.keys.keys())}`,
          ],
    ),
  ]
  const recorded = new Map<string, readonly number[]>()
  for (const { recording } of file.groups) {
    if (recording === undefined || recorded.has(recording)) continue
    const calls = await readCalls(typedPath(recording, invocation.io.env), undefined, createLeftOut())
    if (calls.ok)
      recorded.set(
        recording,
        calls.value.calls.map(({ at }) => at),
      )
    else complaints.push(...calls.complaints)
  }
  if (quota === undefined || complaints.length > 0) return failed(...complaints)
  const fresh = settleKey({ plan }, scenario.value.plans)
  const keys = new Map([...scenario.value.keys, [ownKey, fresh] as const])
  return {
    ok: true,
    value: {
      scenario: { ...scenario.value, keys },
      startedAt:
        (file.at === undefined ? undefined : parseInstant(file.at)) ?? scenario.value.clock.at ?? usualStart,
      length,
      seed: file.seed ?? scenario.value.seed,
      groups: file.groups.map((group, place) =>
        groupOf(group, place, ownKey, name => recorded.get(name) ?? []),
      ),
    },
  }
}

async function loadScenario(
  name: string | undefined,
  flags: FlagValues<FleetValues>,
): Promise<Loading<Scenario>> {
  if (name === undefined && flags.typed.has('fixtures'))
    return failed('--fixtures needs a scenario, by --scenario or in the file of the fleet')
  if (name === undefined) return { ok: true, value: settle('free-plan', {}, shippedFixtures) }
  const loaded = await loadByName([name], flags)
  if (!loaded.ok) return loaded
  const { file = {}, fixtures = shippedFixtures } = loaded.value[0] ?? {}
  return { ok: true, value: settle(name, file, fixtures) }
}

async function readBaseline(
  path: string | undefined,
  { env }: Io,
): Promise<Loading<readonly PolicyFigures[] | undefined>> {
  if (path === undefined) return { ok: true, value: undefined }
  const typed = typedPath(path, env)
  const text = await readText(typed).catch((error: unknown) => String(error))
  try {
    const value: unknown = JSON.parse(text)
    const list = isObject(value) ? value.policies : undefined
    if (Array.isArray(list) && list.every(one => isObject(one) && isObject(one.banned) && isObject(one.age)))
      return { ok: true, value: list as unknown as readonly PolicyFigures[] }
  } catch {
    // It is no JSON.
  }
  return failed(`--baseline ${path}: expected the output of pet-mock fleet --json`)
}

function factsOf({ groups, length, scenario, startedAt }: Fleet) {
  const count = groups.reduce((all, { instances }) => all + instances, 0)
  const [first] = groups
  const { plan = '', quota = { minute: 0, day: 0 } } = scenario.keys.get(first?.key ?? '') ?? {}
  return [
    {
      name: 'Instances',
      value: groups.length === 1 ? `${count}` : `${count} in ${formatCount(groups.length, 'group')}`,
    },
    {
      name: 'Plan',
      value: `${planTitle(plan)}, ${formatCount(quota.minute, 'call')} a minute and ${formatCount(quota.day, 'call')} a day`,
    },
    { name: 'Time', value: `${formatDuration(length)} from ${formatInstant(startedAt)}` },
  ]
}
