import { lazily } from '../../base/lazily.ts'
import type { ServedContract } from '../../emulator/gates/open-areas.ts'
import { refuse } from '../../service/call/answer.ts'
import type { ContractAccess } from './contract-answer.ts'

const paths: ReadonlySet<string> = new Set(['/openapi.yaml', '/openapi.json'])

/** Serves the contract outside the API. Its text is imported and written at the first call. */
export function lateContract(access: ContractAccess): ServedContract {
  const loaded = lazily(async () => {
    const { createContractAnswer } = await import('./contract-answer.ts')
    return createContractAnswer(access)
  })
  return (context, areas) => {
    const { call, target } = context
    if (!paths.has(target.path)) return undefined
    if (call.method !== 'GET' && call.method !== 'HEAD')
      return refuse('method_not_allowed', `${target.path} can only be read.`, { Allow: 'GET, HEAD, OPTIONS' })
    return loaded().then(answer => answer(context, areas))
  }
}
