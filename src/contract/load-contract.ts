import { resolve } from 'node:path'
import { explainUnreadable, readText } from '../disk/read-text.ts'
import { formatComplaint } from '../files/complaint.ts'
import { NotText } from '../files/decode.ts'
import { complain, readDocument } from '../files/document.ts'
import { createJudge, type Judge } from './judge.ts'

/** A judge, or everything that is wrong with the file that was to be the contract. */
export type LoadedContract =
  | { readonly ok: true; readonly judge: Judge }
  | { readonly ok: false; readonly complaints: readonly string[] }

/** A judge by a user's OpenAPI file, or by the contract that pet-mock ships. This loads Prism. */
export async function loadContract(path: string | undefined): Promise<LoadedContract> {
  if (path !== undefined) return loadFile(path)
  const { contractDocument } = await import('../generated/contract.ts')
  return { ok: true, judge: await createJudge(contractDocument) }
}

async function loadFile(path: string): Promise<LoadedContract> {
  const unreadable = await explainUnreadable(path, readText, [])
  if (unreadable !== undefined) return refuse(unreadable)
  const text = await readText(path).catch((error: unknown) => {
    if (error instanceof NotText) return error
    throw error
  })
  if (text instanceof NotText)
    return refuse(formatComplaint({ file: path, ...text.place, message: text.message }))
  const reading = await readDocument(path, text)
  if (!reading.ok) return { ok: false, complaints: reading.complaints.map(formatComplaint) }
  const { value: document } = reading
  const { value } = document
  const at = (field: string, message: string) =>
    refuse(formatComplaint(complain(document, [field], 'value', message)))
  if (typeof value !== 'object' || value === null || !isObject(value))
    return at('', 'expected an OpenAPI 3 description, a map with openapi, info and paths')
  if (!/^3\.[01]\./.test(`${value.openapi}`))
    return at('openapi', 'expected an OpenAPI description of version 3.0 or 3.1, such as openapi: 3.1.0')
  try {
    const judge = await createJudge(value, resolve(path))
    return judge.operations.length > 0
      ? { ok: true, judge }
      : at('paths', 'there is no operation to hold a server against')
  } catch (error) {
    return at('', `it cannot be read as OpenAPI: ${error instanceof Error ? error.message : error}`)
  }
}

function isObject<T>(value: T): value is Exclude<T, readonly unknown[]> {
  return !Array.isArray(value)
}

function refuse(complaint: string): LoadedContract {
  return { ok: false, complaints: [complaint] }
}
