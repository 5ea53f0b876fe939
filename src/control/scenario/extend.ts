import { isObject } from '../../base/json/is-object.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import type { Problem } from '../fields/problem.ts'
import { showValue } from '../files/show.ts'
import type { ScenarioFile } from './file.ts'

/**
 * Adds what a scenario inherits: everything but title, description, walkthrough and rehearsal. These are about the situation as
 * a whole, which the scenario changes.
 */
export function extendScenario(base: ScenarioFile, own: ScenarioFile): ScenarioFile {
  const {
    title: _title,
    description: _description,
    walkthrough: _walkthrough,
    rehearsal: _rehearsal,
    ...inherited
  } = base
  const { extends: _extends, $schema: _schema, ...said } = overlay(inherited, own)
  return said
}

/** Merges maps field by field and replaces everything else. Keeps `null`, which may remove a key of the fixtures. */
export function overlay(base: ScenarioFile, over: ScenarioFile): ScenarioFile {
  return merge(base, over) as ScenarioFile
}

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(over)) return over
  const fields = new Map(isObject(base) ? Object.entries(base) : [])
  for (const [name, value] of Object.entries(over)) {
    if (value !== undefined) fields.set(name, merge(fields.get(name), value))
  }
  return Object.fromEntries(fields)
}

type Shipped = ReadonlyMap<string, ScenarioFile>

/** A command's scenario, given by name or written out, with the shipped one that it extends; or what is wrong with it. */
export function wholeScenario(scenario: string | ScenarioFile, shipped: Shipped): ScenarioFile | Problem {
  if (typeof scenario === 'string') {
    return shipped.get(scenario) ?? { path: [], message: unknownScenario(scenario, shipped) }
  }
  const base = shipped.get(scenario.extends ?? '')
  if (base === undefined && typeof scenario.extends === 'string') {
    const message = unknownScenario(scenario.extends, shipped)
    return { path: ['extends'], message: message + moreMayFollow(scenario, message) }
  }
  return extendScenario(base ?? {}, scenario)
}

const independent = ['extends', 'title', 'description', '$schema']

/** What follows a complaint about `extends`: mistakes in most fields show only next to what they inherit. */
export function moreMayFollow(own: ScenarioFile, before: string): string {
  if (Object.keys(own).every(name => independent.includes(name))) return ''
  return `${before.endsWith('?') ? ' More' : '; more'} may follow once extends is mended`
}

export function unknownScenario(name: string, shipped: Shipped): string {
  const known = [...shipped.keys()]
  return `no shipped scenario is named ${showValue(name)}${suggest(name, known) || `; there are ${known.join(', ')}`}`
}
