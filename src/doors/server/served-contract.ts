import { lazily } from '../../base/lazily.ts'
import type { CallContext } from '../../emulator/gates/call-context.ts'
import { readForwarded } from '../../emulator/gates/caller.ts'
import type { OpenAreas, ServedContract } from '../../emulator/gates/open-areas.ts'
import { type Answer, refuse, reply } from '../../service/call/answer.ts'
import { readCredential } from '../../service/keys/credential.ts'
import type { GuardOptions } from '../admin/guard.ts'

const paths: ReadonlySet<string> = new Set(['/openapi.yaml', '/openapi.json'])

/**
 * Serves the contract outside the API. Its text is imported and written at the first call. Other machines get what --openapi adds
 * only with the token.
 */
export function serveContract(access: Omit<GuardOptions, 'allowedHosts'>): ServedContract {
  const { token, isExposed, trustProxy } = access
  const loaded = lazily(async () => {
    const [{ equalsSecret }, { createContractText, jsonForm, yamlForm }] = await Promise.all([
      import('../admin/guard.ts'),
      import('../../judges/contract/description/contract-text.ts'),
    ])
    const write = createContractText()
    return async ({ call, target, address }: CallContext, areas: OpenAreas | undefined): Promise<Answer> => {
      const form = target.path.endsWith('.yaml') ? yamlForm : jsonForm
      const isLocal = trustProxy !== true || readForwarded(call.headers).isLocal
      const credential = readCredential(call.headers)
      const mayReadAdditions =
        (!isExposed && isLocal) ||
        (token !== undefined && credential.kind === 'key' && equalsSecret(credential.text, token))
      const text = await write(form, address.base, areas, mayReadAdditions)
      return reply(200, text, { 'Content-Type': form.type })
    }
  })
  return (context, areas) => {
    const { call, target } = context
    if (!paths.has(target.path)) return undefined
    if (call.method !== 'GET' && call.method !== 'HEAD')
      return refuse('method_not_allowed', `${target.path} can only be read.`, { Allow: 'GET, HEAD, OPTIONS' })
    return loaded().then(answer => answer(context, areas))
  }
}
