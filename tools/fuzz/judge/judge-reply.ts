import { Broken } from '../lane.ts'
import type { WireReply } from '../wire/read-replies.ts'
import { isError } from './schemas.ts'

/** A stack, or a path of the machine that runs the server. No input contains such a text. */
const inside =
  /(?:\n|\\n)\s+at |node:internal|\/[\w.-]+\/node_modules\/|\/[\w./-]+\.(?:ts|mjs|cjs|js):\d+|file:\/\/\//

/** 5xx that the documentation announces, by their code. */
const announced: ReadonlySet<string> = new Set(['too_many_bodies'])

interface Expected {
  readonly isHead: boolean
  /** Rules of the case may answer with any status and body, and its `responses.error` adds fields to errors. */
  readonly hasRules?: boolean
}

/** Throws Broken for an answer that no client should get. Headers may be in any case. */
export function judgeReply(reply: WireReply, { isHead, hasRules = false }: Expected): void {
  const { status, text } = reply
  const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers: WireReply['headers'] = Object.fromEntries(lowered)
  const seen = () => `${status} ${JSON.stringify(headers)} ${JSON.stringify(text.slice(0, 600))}`
  if (inside.test(text) || inside.test(JSON.stringify(headers)))
    throw new Broken(`A stack or a path: ${seen()}`)
  if (hasRules && headers['x-pet-mock'] !== undefined) return
  if (headers.date === undefined || Number.isNaN(Date.parse(headers.date)))
    throw new Broken(`No Date: ${seen()}`)
  const isAsked = headers['preference-applied']?.startsWith(`code=${status}`) === true
  if (isHead) {
    if (text !== '') throw new Broken(`A body for HEAD: ${seen()}`)
    if (status >= 500 && !isAsked) throw new Broken(`A failure: ${seen()}`)
    return
  }
  if (status < 400) return
  const error = readError(text, hasRules)
  if (error === undefined || error.status !== status || headers['content-type'] !== 'application/json')
    throw new Broken(`An answer outside the Error shape: ${seen()}`)
  if (status >= 500 && !isAsked && !announced.has(error.code)) throw new Broken(`A failure: ${seen()}`)
  if (status === 405 && headers.allow === undefined) throw new Broken(`405 without Allow: ${seen()}`)
  if (status === 401 && headers['www-authenticate'] === undefined && !isAsked)
    throw new Broken(`401 without WWW-Authenticate: ${seen()}`)
  if (status === 429 && !/^\d+$/.test(headers['retry-after'] ?? ''))
    throw new Broken(`429 without Retry-After: ${seen()}`)
}

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** An Error of openapi.yaml with texts that say something. */
function readError(text: string, mayHaveMore: boolean): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isError(value)) return undefined
    const { code, message, status, ...more } = value as ErrorBody
    if (code === '' || message === '' || (!mayHaveMore && Object.keys(more).length > 0)) return undefined
    return { code, message, status }
  } catch {
    return undefined
  }
}
