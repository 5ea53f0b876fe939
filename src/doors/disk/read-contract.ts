import type { JsonObject } from '../../base/json/value.ts'
import { type Complaint, formatComplaint, sortComplaints } from '../../control/files/complaint.ts'
import { NotText } from '../../control/files/decode.ts'
import { complain, type Document, readDocument } from '../../control/files/document.ts'
import type { Path } from '../../control/files/show.ts'
import { checkDescription } from '../../judges/contract/description/check-description.ts'
import type { ContractFile } from '../../judges/contract/description/contract-file.ts'
import {
  complaintAbout,
  fieldsOf,
  fileOf,
  itemsOf,
  mapOf,
  rootOf,
  type Spot,
  targetOf,
  textOf,
} from '../../judges/contract/description/description-node.ts'
import { explainUnreadable } from './read-text.ts'

export type ReadText = (path: string) => Promise<string>

/** A value, or everything that is wrong, a sentence each. */
export type ContractReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaints: readonly string[] }

/** A file as it is, if it is an OpenAPI description at all. `readText` rejects with Unreadable or NotText. */
export async function readDescription(
  path: string,
  readText: ReadText,
): Promise<ContractReading<{ readonly document: Document; readonly value: JsonObject }>> {
  const unreadable = await explainUnreadable(path, readText, [])
  if (unreadable !== undefined) return { ok: false, complaints: [unreadable] }
  const reading = await readAny(path, readText)
  if (!reading.ok) return { ok: false, complaints: reading.complaints.map(formatComplaint) }
  const value = mapOf(rootOf(reading.value))
  const refuse = (path: Path, message: string) => ({
    ok: false as const,
    complaints: [formatComplaint(complain(reading.value, path, 'value', message))],
  })
  if (value === undefined)
    return refuse([], 'expected an OpenAPI 3 description, a map with openapi, info and paths')
  if (!/^3\.[01]\./.test(`${value.openapi}`))
    return refuse(
      ['openapi'],
      'expected an OpenAPI description of version 3.0 or 3.1, such as openapi: 3.1.0',
    )
  return { ok: true, value: { document: reading.value, value } }
}

/** A description with all that it refers to, or every complaint about any of its files. */
export async function readContract(path: string, readText: ReadText): Promise<ContractReading<ContractFile>> {
  const reading = await readDescription(path, readText)
  if (!reading.ok) return reading
  const { document, value } = reading.value
  const files = new Map([[document.file, document]])
  const complaints: Complaint[] = []
  for (const [, file] of files) complaints.push(...(await readReferences(file, files, readText)))
  const root = rootOf(document)
  complaints.push(...checkDescription(root, files))
  if (complaints.length === 0) return { ok: true, value: { path, root, value, files } }
  const own = complaints.filter(({ file }) => file === document.file)
  return { ok: false, complaints: tell(sortComplaints([...own, ...complaints])) }
}

/** Nobody reads more about one file. */
const mostComplaints = 100

function tell(complaints: readonly Complaint[]): readonly string[] {
  const left = complaints.length - mostComplaints
  const told = [...new Set(complaints.slice(0, mostComplaints).map(formatComplaint))]
  return left > 0 ? [...told, `and ${left} more complaints about this description`] : told
}

async function readAny(path: string, readText: ReadText) {
  try {
    return await readDocument(path, await readText(path))
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    return { ok: false as const, complaints: [{ file: path, ...error.place, message: error.message }] }
  }
}

/** Adds the files that a file refers to, and tells of references that lead nowhere. */
async function readReferences(
  document: Document,
  files: Map<string, Document>,
  readText: ReadText,
): Promise<readonly Complaint[]> {
  const complaints: Complaint[] = []
  const unreadable = new Map<string, string>()
  for (const [spot, ref] of referencesIn(rootOf(document))) {
    const [name = ''] = ref.split('#')
    if (/^[a-z][\w+.-]+:/i.test(name)) {
      const message = `pet-mock fetches nothing: put what is at ${name} into a file beside this one`
      complaints.push(complaintAbout(spot, message))
      continue
    }
    const path = fileOf(document, name)
    if (name !== '' && !files.has(path) && !unreadable.has(path)) {
      const problem = await explainUnreadable(path, readText, [])
      const reading = problem === undefined ? await readAny(path, readText) : undefined
      if (reading?.ok === true) files.set(path, reading.value)
      else {
        unreadable.set(path, problem ?? `${path} cannot be read`)
        complaints.push(...(reading?.complaints ?? []))
      }
    }
    const problem = unreadable.get(path)
    if (name !== '' && problem !== undefined) complaints.push(complaintAbout(spot, problem))
    else if (targetOf(document, ref, files) === undefined)
      complaints.push(complaintAbout(spot, `there is nothing at ${JSON.stringify(ref)}`))
  }
  return complaints
}

/** Fields whose values are examples, not parts of the description. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

function* referencesIn(spot: Spot): Generator<readonly [spot: Spot, ref: string]> {
  for (const item of itemsOf(spot)) yield* referencesIn(item)
  for (const [name, field] of fieldsOf(spot)) {
    const ref = name === '$ref' ? textOf(field) : undefined
    if (ref !== undefined) yield [field, ref]
    // A property may bear one of these names.
    else if (!data.has(name) || spot.path.at(-1) === 'properties') yield* referencesIn(field)
  }
}
