import { groupDigits } from '../../../base/text/quantities.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { adminUrlOf, busy, findServer } from '../../remote/find-server.ts'
import { findRunningServers, originOf } from '../../start/running-servers.ts'

const start = 'Start one in another shell, for example: npx pet-mock. The next call of a tool finds it.'

/**
 * Finds the admin plane for one call of a tool: the one of --url, or one that runs on this machine. `wanted` chooses among several of
 * these. It leads nowhere else: an agent must not send the admin token to a foreign address. Rejects with a PetMockError.
 */
export async function chooseServer(url: URL | undefined, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && !URL.canParse(wanted))
    throw refuse(`url: expected the URL of a server, found ${JSON.stringify(wanted)}.`)
  const wantedAdmin = wanted === undefined ? undefined : adminUrlOf(new URL(wanted))
  if (url !== undefined) {
    const found = await findServer(url)
    if (!found.ok) throw refuse(found.message)
    if (wantedAdmin === undefined || wantedAdmin === found.admin) return found.admin
    throw refuse(`url: this pet-mock mcp is for ${originOf(found.admin)} only. Leave url out.`)
  }
  const running = await findRunningServers()
  const list = running.map(({ admin }) => `  ${originOf(admin)}/v1`).join('\n')
  const [only] = running
  if (only === undefined) throw refuse(`No pet-mock runs on this machine. ${start}`)
  if (wantedAdmin !== undefined) {
    if (running.some(({ admin }) => admin === wantedAdmin)) return wantedAdmin
    throw refuse(`url: no pet-mock runs there. These run on this machine:\n${list}`)
  }
  if (running.length === 1 && only.isBusy) throw refuse(busy(only.admin))
  if (running.length === 1) return only.admin
  throw refuse(
    `${groupDigits(running.length)} servers run on this machine. Name one of them in the field url:\n${list}`,
  )
}

function refuse(message: string): PetMockError {
  return new PetMockError('unreachable', message)
}
