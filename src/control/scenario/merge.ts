import { isObject } from '../../base/json/is-object.ts'
import type { ScenarioFile } from './file.ts'

/** A scenario that says only what differs from another, with the other. Its title, description and story are its own. */
export function extendScenario(base: ScenarioFile, own: ScenarioFile): ScenarioFile {
  const { title: _title, description: _description, walkthrough: _walkthrough, ...inherited } = base
  const { extends: _extends, $schema: _schema, ...said } = overlay(inherited, own)
  return said
}

/**
 * A scenario with some fields said anew: maps are merged field by field, all else is replaced. A `null` is kept,
 * since it may remove what no file gives but the fixtures do: a key of theirs.
 */
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
