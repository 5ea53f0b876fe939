import {
  type Complaint,
  type Document,
  formatComplaint,
  type Reading,
  refused,
  sortComplaints,
} from '../../control/files/complaint.ts'
import { NotText } from '../../control/files/decode.ts'
import { descriptionLimits, readDocument } from '../../control/files/document.ts'
import { DescriptionNode, fileOf } from '../../judges/contract/description/description-node.ts'
import { clip } from '../../service/call/echo.ts'
import { explainUnreadable } from './read-text.ts'

/** Reads a file of at most `most` bytes. Rejects with Unreadable or NotText. */
export type ReadText = (path: string, most?: number) => Promise<string>

/** A value, or a message for each mistake. */
export type ContractReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaints: readonly string[] }

export function refuse(...complaints: readonly Complaint[]): ContractReading<never> {
  return { ok: false, complaints: complaints.map(formatComplaint) }
}

/** Reads one file and checks only that it is an OpenAPI description of a supported version. */
async function readDescription(path: string, readText: ReadText): Promise<ContractReading<DescriptionNode>> {
  const unreadable = await explainUnreadable(path, path => readText(path, descriptionLimits.bytes), [])
  if (unreadable !== undefined) return { ok: false, complaints: [unreadable] }
  const reading = await readFile(path, readText)
  if (!reading.ok) return refuse(...reading.complaints)
  const root = DescriptionNode.rootOf(reading.value)
  const version = root.at('openapi')
  const swagger = root.at('swagger')
  if (root.map === undefined)
    return refuse(root.complaint('expected an OpenAPI 3 description, a map with openapi, info and paths'))
  if (version.value === undefined && swagger.value !== undefined) return refuse(swagger.complaint(convert))
  return typeof version.value === 'string' && /^3\.[01]\./.test(version.value)
    ? { ok: true, value: root }
    : refuse(version.complaint('expected version 3.0 or 3.1 of OpenAPI, such as openapi: 3.1.0'))
}

const convert =
  'this is Swagger 2.0, and pet-mock reads OpenAPI 3.0 and 3.1. Convert it: npx swagger2openapi --yaml --outfile openapi.yaml FILE'

/** Reads a description and every file that it refers to. `check` returns further mistakes. */
export async function readContract(
  path: string,
  readText: ReadText,
  check: (root: DescriptionNode) => readonly Complaint[],
): Promise<ContractReading<DescriptionNode>> {
  const reading = await readDescription(path, readText)
  if (!reading.ok) return reading
  const { document } = reading.value
  const files = new Map([[document.file, document]])
  const complaints: Complaint[] = []
  for (const [, file] of files)
    complaints.push(...(await readReferences(DescriptionNode.rootOf(file, files), files, readText)))
  const root = DescriptionNode.rootOf(document, files)
  complaints.push(...check(root))
  if (complaints.length === 0) return { ok: true, value: root }
  const own = complaints.filter(({ file }) => file === document.file)
  const messages = [...new Set(sortComplaints([...own, ...complaints]).map(formatComplaint))]
  const left = messages.length - mostComplaints
  const more = left > 0 ? [`and ${left} more mistakes in this description`] : []
  return { ok: false, complaints: [...messages.slice(0, mostComplaints), ...more] }
}

const mostComplaints = 100
/** Characters of a reference that a message repeats: a path of any system fits. */
const mostShown = 1_000

async function readFile(path: string, readText: ReadText): Promise<Reading<Document>> {
  try {
    return await readDocument(path, await readText(path, descriptionLimits.bytes), descriptionLimits)
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    return refused({ file: path, ...error.place, message: error.message })
  }
}

/** Adds the files that a file refers to, and reports references that lead nowhere. */
async function readReferences(
  root: DescriptionNode,
  files: Map<string, Document>,
  readText: ReadText,
): Promise<readonly Complaint[]> {
  const complaints: Complaint[] = []
  const unreadable = new Map<string, string>()
  for (const [node, ref] of referencesIn(root)) {
    const [name = ''] = ref.split('#')
    if (/^[a-z][\w+.-]+:/i.test(name)) {
      complaints.push(
        node.complaint(
          `pet-mock downloads no files: save a copy of ${clip(name, mostShown)} beside this file`,
        ),
      )
      continue
    }
    const path = name === '' ? root.document.file : fileOf(root.document.file, name)
    if (!files.has(path) && !unreadable.has(path)) {
      const problem = await explainUnreadable(path, path => readText(path, descriptionLimits.bytes), [])
      const reading = problem === undefined ? await readFile(path, readText) : refused()
      if (reading.ok) files.set(path, reading.value)
      else {
        unreadable.set(path, problem ?? `${path} cannot be read`)
        complaints.push(...reading.complaints)
      }
    }
    const isNowhere = root.target(ref) === undefined
    const problem = unreadable.get(path) ?? (isNowhere ? `${JSON.stringify(ref)} leads nowhere` : undefined)
    if (problem !== undefined) complaints.push(node.complaint(clip(problem, mostShown)))
  }
  return complaints
}

/** Fields whose values are data, not parts of the description. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

function* referencesIn(node: DescriptionNode): Generator<readonly [node: DescriptionNode, ref: string]> {
  for (const item of node.items) yield* referencesIn(item)
  for (const [name, field] of node.fields) {
    if (name === '$ref' && field.text !== undefined) yield [field, field.text]
    // Under `properties`, these names are not keywords.
    else if (!data.has(name) || node.path.at(-1) === 'properties') yield* referencesIn(field)
  }
}
