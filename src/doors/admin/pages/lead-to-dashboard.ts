import type { ServedContract } from '../../../emulator/gates/open-areas.ts'
import { reply } from '../../../service/call/answer.ts'
import { adminPath } from '../routing/address.ts'
import { wantsPage } from './wants-page.ts'

/** Leads a person who opens the root of the server to the dashboard, which is no call of the API. Other calls are answered as before. */
export function leadToDashboard(contract: ServedContract): ServedContract {
  return (context, areas) => {
    const { call, target } = context
    if (target.path !== '/' || !wantsPage(call)) return contract(context, areas)
    // Relative: a proxy may have removed a prefix of the path.
    const headers = { Location: `.${adminPath}/`, 'Cache-Control': 'no-store' }
    return { ...reply(302, '', headers), isUnrecorded: true }
  }
}
