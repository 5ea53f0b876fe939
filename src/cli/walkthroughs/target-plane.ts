import type { Command } from '../../control/scenario/file.ts'
import type { Done, Impossible } from '../../judges/walkthrough/target.ts'
import { createAsk } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { sendOverHttp } from '../../library/client/send-over-http.ts'
import { adminUrlOf } from '../remote/find-server.ts'
import { identifyServer } from '../start/identify-server.ts'
import { serverTrust } from '../start/server-trust.ts'

/** Opens the admin plane, or returns why it cannot be used. `sandbox`: the one that the walkthrough is played in. */
export async function openTargetPlane(
  url: URL,
  { token, sandbox }: { readonly token: string | undefined; readonly sandbox: string | undefined },
) {
  const admin = adminUrlOf(url)
  // Send the token to a pet-mock only.
  const server = await identifyServer(admin)
  if (server.kind !== 'pet-mock') return impossible('it has no admin plane')
  const ask = createAsk(sendOverHttp(admin, token, undefined, await serverTrust(admin)), sandbox)
  const isOpen = await toDone(() => ask('GET', '/clock'))
  if (!isOpen.ok) return isOpen
  return {
    advance: (ms: number) => toDone(() => ask('POST', '/clock/advance', { by: `${ms}ms` })),
    resetClock: () => toDone(() => ask('POST', '/clock/reset')),
    change: (command: Command) =>
      toDone(async () => {
        const { commandRequest } = await import('../../doors/admin/command-request.ts')
        const { method, path, body } = commandRequest(command)
        // Without a name this request drops all sandboxes, but a walkthrough in process drops only its own.
        const query = command.do === 'dropSandbox' ? { sandbox: sandbox ?? 'default' } : {}
        return await ask(method, path, body, query)
      }),
  }
}

async function toDone(act: () => Promise<unknown>): Promise<Done> {
  try {
    await act()
    return { ok: true }
  } catch (error) {
    if (error instanceof PetMockError) return impossible(error.message)
    // A proxy in front of the server may answer.
    if (error instanceof SyntaxError) return impossible('the answer of its admin plane is not JSON')
    throw error
  }
}

export function impossible(reason: string): Impossible {
  return { ok: false, impossible: reason }
}
