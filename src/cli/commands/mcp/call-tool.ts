import { type Ask, createAsk } from '../../../library/client/ask-plane.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { sendOverHttp } from '../../../library/client/send-over-http.ts'
import { keyTextPattern } from '../../../service/keys/credential.ts'
import { serverTrust } from '../../start/server-trust.ts'
import { printable } from '../../terminal/printable.ts'
import { chooseServer } from './choose-server.ts'
import { createServerKeys, noMask, type ServerKeys } from './server-keys.ts'
import { showData } from './show-data.ts'
import { type Input, problemsOf, type Tool, urlField } from './tool.ts'

/** The server that the command line names, and its token. */
export interface Target {
  readonly url: URL | undefined
  readonly token: string | undefined
}

/** What a tool returns: an object, or the text of a failure. */
export type Outcome = { readonly value: Readonly<Record<string, unknown>> } | { readonly failure: string }

/** Lists everything that is wrong with the input of a tool. */
export function inputProblems(tool: Tool, { url, sandbox, ...own }: Input): readonly string[] {
  const place = { ...(url != null && { url }), ...(sandbox != null && { sandbox }) }
  // A label of a key is no key yet.
  const input = typeof own.key === 'string' && own.key.includes('…') ? { ...own, key: 'label' } : own
  return [...tool.problems(input), ...problemsOf({ url: urlField, sandbox: tool.sandbox }, place)]
}

/** Finds the server, and does what a tool does. The input has no problems. */
export async function callTool(
  tool: Tool,
  { url, sandbox, ...input }: Input,
  target: Target,
): Promise<Outcome> {
  let readMask: ServerKeys['mask'] = async () => noMask
  try {
    const admin = await chooseServer(target.url, textOf(url))
    const named = textOf(sandbox)
    const plain = createAsk(
      sendOverHttp(
        admin,
        target.token,
        () => ({ bytes: 64 * 1_048_576, ms: 60_000 }),
        await serverTrust(admin),
      ),
      undefined,
    )
    const ask: Ask = (method, path, body, query) => plain(method, path, body, { sandbox: named, ...query })
    const askKnown = named === '*' ? plain : orOfDefault(ask)
    const keys = createServerKeys(askKnown)
    readMask = keys.mask
    const key = typeof input.key === 'string' ? await keys.find(input.key) : input.key
    const answer = await tool.act(key === undefined ? input : { ...input, key }, {
      admin,
      ask,
      askKnown,
      sandbox: named,
    })
    const more = typeof key === 'string' && keyTextPattern.test(key) ? key : undefined
    return { value: showData(answer, await readMask(more)) }
  } catch (error) {
    const mask = await readMask().catch(() => noMask)
    return { failure: mask.text(explain(error)).split('\n').map(printable).join('\n') }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A sandbox that does not exist yet has the keys of the default one. */
function orOfDefault(ask: Ask): Ask {
  return async (method, path, body, query) => {
    try {
      return await ask(method, path, body, query)
    } catch (error) {
      if (!(error instanceof PetMockError && error.code === 'not_found')) throw error
      return await ask(method, path, body, { ...query, sandbox: undefined })
    }
  }
}

function explain(error: unknown): string {
  if (error instanceof PetMockError) return error.message
  return `The answer of the server cannot be shown (${error}). Is it another version of pet-mock?`
}
