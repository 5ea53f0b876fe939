import type { CallStep } from '../../../control/scenario/file.ts'
import { callStep } from '../../../control/scenario/settings/walkthrough.ts'
import { toCall } from '../../../judges/walkthrough/play.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import type { Failure } from '../../../service/call/fault.ts'
import { isUnderApi } from '../../../service/operations/routes.ts'
import { createHttpClient } from '../../remote/find-server.ts'
import { changes, declareTool, type Input, keyField, type ServerTool, type ToolCall } from './tool.ts'

const { call, key, headers, body } = callStep.fields
const fields = { call, key: keyField(key), headers, body }

/** The longest body, in bytes, and the longest wait for a response, in milliseconds. */
const longestBody = 65_536
const patienceMs = 30_000

/** Node sets these, or they would lead to another server. */
const refusedHeaders = /^(?:host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer)$/i

const declared = declareTool({
  name: 'send_request',
  about:
    'Sends one request to the API of the server, and returns its response: status, headers and body. Use it to see what a client would get. The request counts against the quota of its key and appears in list_requests.',
  hints: changes(false),
  fields,
  calls: 'getScenario',
  act: async (input, toolCall) => {
    const { origin, pathname } = new URL(toolCall.admin)
    const step = toCall(input as Pick<CallStep, 'call' | 'headers' | 'body'>, await keyFor(input, toolCall))
    const target = `${pathname.replace(/\/__admin$/, '')}${step.target}`
    const { send, close } = createHttpClient(new URL(origin))
    try {
      const answer = await send({ ...step, target }, patienceMs)
      if ('fails' in answer) return { fails: answer.fails, about: failures[answer.fails] }
      const { status, headers, text } = answer
      return { status, headers, body: text, bodyBytes: Buffer.byteLength(text) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new PetMockError('unreachable', `The server did not answer: ${reason}. Is it still running?`)
    } finally {
      close()
    }
  },
})

export const sendRequest: ServerTool = {
  ...declared,
  problems: input => [...declared.problems(input), ...problemsOfCall(input)],
}

const failures: Readonly<Record<Failure, string>> = {
  reset: 'The connection was reset.',
  empty: 'The connection was closed before the response.',
  truncate: 'The connection was closed within the response.',
  malformed: 'The response cannot be read.',
  hang: `No whole response came within ${patienceMs / 1_000} s.`,
}

function problemsOfCall({ call, headers, body }: Input): readonly string[] {
  const path = `${call}`.replace(/^\S* /, '').replace(/\?.*$/s, '')
  // A path with `..` could lead out of the API behind another server.
  const hasDots = path.split('/').some(segment => /^(?:\.|%2e){1,2}$/i.test(segment))
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : []
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  return [
    ...(isUnderApi(path) && !hasDots ? [] : ['call: expected a path of the API, such as GET /v1/pets']),
    ...names
      .filter(name => refusedHeaders.test(name))
      .map(name => `headers.${name}: this header is set for you`),
    ...(Buffer.byteLength(text) > longestBody ? [`body: longer than ${longestBody} bytes`] : []),
    ...(holdsUnsafeInteger(body)
      ? [
          'body: a number beyond 2^53 is not exact here. Write the body as text: "{\\"categoryId\\":9007199254740993}"',
        ]
      : []),
  ]
}

function holdsUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger)
}

/** The key that the agent names, else that of the scenario, in the sandbox of the call. */
async function keyFor({ key }: Input, { askKnown, sandbox }: ToolCall): Promise<string | null> {
  if (key === null) return null
  const name = typeof key === 'string' ? key : (await askKnown('getScenario')).key
  return sandbox === undefined || name.includes('+') ? name : `${name}+${sandbox}`
}
