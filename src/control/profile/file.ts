import { isObject } from '../../base/json/is-object.ts'
import type { Line, Profile } from '../../emulator/worlds/scenario.ts'
import { checkDocument } from '../fields/check-document.ts'
import { type Document, type Reading, refused } from '../files/complaint.ts'
import { readDocument } from '../files/document.ts'
import { linePaths, profileShape } from './assumed.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads a profile, or lists everything that is wrong with it. */
export async function readProfile(file: string, text: string): Promise<Reading<Profile>> {
  const document = await readDocument(file, text)
  return document.ok ? checkProfile(document.value) : document
}

/** A profile in a document, or everything that is wrong with it. */
export function checkProfile(document: Document): Reading<Profile> {
  const checked = checkDocument<Profile & { readonly learned: Readonly<Record<string, Fields>> }>(
    profileShape,
    document,
  )
  if (!checked.ok) return refused(...checked.complaints)
  const lines = Object.entries(checked.value.learned).map(([path, fields]) => [path, lineOf(fields)])
  return { ok: true, value: { ...checked.value, learned: Object.fromEntries(lines) } }
}

function lineOf({ state = 'observed', seen, last, value, values, ...rest }: Fields): Line {
  const { atLeast, atMost, shows, ...own } = rest
  const fields = Object.keys(own).length === 0 ? { value } : { value: own }
  const all = { ...fields, atLeast, atMost, shows, state, seen, last, values }
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)) as unknown as Line
}

/** The text of a profile's file: the same profile gives the same bytes. */
export async function profileText(profile: Profile): Promise<string> {
  const { Document: Yaml, isMap } = await import('yaml')
  const document = new Yaml(profileObject(profile))
  const rows = document.get('learned')
  if (isMap(rows)) for (const { value } of rows.items) if (isMap(value)) value.flow = true
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

/** What a profile's file holds, in its order. `checkProfile` reads it. */
export function profileObject({ profile, service, learned, unknown }: Profile): object {
  const lines = linePaths.flatMap(path => {
    const line = learned[path]
    return line === undefined ? [] : [[path, fieldsOf(path, line)]]
  })
  return {
    profile,
    service,
    learned: Object.fromEntries(lines),
    unknown: linePaths.filter(path => unknown.includes(path)),
  }
}

function fieldsOf(path: string, { value, windows: _windows, ...line }: Line): Fields {
  const { state, ...rest } = line
  if (path.startsWith('latency.') && isObject(value)) return { ...value, ...rest }
  if (path.startsWith('errors.') && isObject(value)) return { ...value, ...line }
  return { ...(value !== undefined && { value }), ...line }
}
