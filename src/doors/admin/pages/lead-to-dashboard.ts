import type { ServedContract } from '../../../emulator/gates/open-areas.ts'
import { reply } from '../../../service/call/answer.ts'
import { adminPath } from '../routing/address.ts'
import { wantsPage } from './wants-page.ts'

/** Leads a person who opens the root of the server to the dashboard. Every other call is answered as before. */
export function leadToDashboard(contract: ServedContract): ServedContract {
  return (context, areas) => {
    const { call, target } = context
    if (target.path !== '/' || !wantsPage(call)) return contract(context, areas)
    // Relative: a proxy may have removed a prefix of the path.
    return reply(302, '', { Location: `.${adminPath}/`, 'Cache-Control': 'no-store' })
  }
}
