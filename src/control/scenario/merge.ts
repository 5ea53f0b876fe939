import { isObject } from '../../base/json/is-object.ts'
import type { ScenarioFile } from './file.ts'

/** Adds what a scenario inherits: everything but title, description and walkthrough. */
export function extendScenario(base: ScenarioFile, own: ScenarioFile): ScenarioFile {
  const { title: _title, description: _description, walkthrough: _walkthrough, ...inherited } = base
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
