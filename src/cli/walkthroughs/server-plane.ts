import type { Command } from '../../control/change/command.ts'
import type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
import type { Done, Impossible } from '../../judges/walkthrough/target.ts'
import { createAsk } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { sendOverHttp } from '../../library/client/send-over-http.ts'
import { adminUrlOf, askHealth } from '../remote/find-server.ts'

/** The admin plane of the server that a story is played against. */
export interface StoryPlane {
  /** `ms`: milliseconds. */
  readonly advance: (ms: number) => Promise<Done>
  readonly change: (command: Command<ScenarioFile, RuleFields>) => Promise<Done>
}

interface PlaneOptions {
  readonly token: string | undefined
  /** The sandbox of the story. */
  readonly sandbox: string | undefined
}

/** The plane, or why there is none that does what it is asked. */
export async function openStoryPlane(
  url: URL,
  { token, sandbox }: PlaneOptions,
): Promise<StoryPlane | Impossible> {
  const admin = adminUrlOf(url)
  // The token is shown to nobody but a pet-mock.
  const health = await askHealth(admin)
  if (health.kind !== 'pet-mock') return impossible('it has no admin plane')
  const ask = createAsk(sendOverHttp(admin, token), sandbox)
  const isOpen = await done(() => ask('GET', '/clock'))
  if (!isOpen.ok) return isOpen
  return {
    advance: ms => done(() => ask('POST', '/clock/advance', { by: `${ms}ms` })),
    change: command =>
      done(async () => {
        const { commandRequest } = await import('../../doors/admin/command-request.ts')
        const { method, path, body } = commandRequest(command)
        // Where no sandbox is named, all of them would be forgotten, and in process it is the story's own.
        const query = command.do === 'dropSandbox' ? { sandbox: sandbox ?? 'default' } : {}
        return await ask(method, path, body, query)
      }),
  }
}

async function done(act: () => Promise<unknown>): Promise<Done> {
  try {
    await act()
    return { ok: true }
  } catch (error) {
    if (error instanceof PetMockError) return impossible(error.message)
    // What a proxy before the server says in its place.
    if (error instanceof SyntaxError) return impossible('its admin plane answers something that is no JSON')
    throw error
  }
}

function impossible(why: string): Impossible {
  return { ok: false, impossible: why }
}
