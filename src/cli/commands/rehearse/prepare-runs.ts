import type { Fixtures } from '../../../control/fixtures/fixtures.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { situationClock } from '../../../judges/rehearsal/rehearsal.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import type { Invocation } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { checkCommand, commandOf } from '../../clients/command-words.ts'
import type { ClientOptions, ClientSituation } from '../../clients/run-client.ts'
import { loadFixtures } from '../../start/load/load-from-flags.ts'
import type { OpenApi } from '../../start/load/load-openapi.ts'
import { complaintsOf, failed, type Loading, userFiles } from '../../start/load/loading.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { shellWords } from '../../terminal/text.ts'
import type { RehearseValues } from './flags.ts'

export interface PreparedRuns {
  /** `shown`: with secrets masked. `typed`: with pet-mock and its flags. */
  readonly command: { readonly words: readonly string[]; readonly shown: string; readonly typed: string }
  readonly fixtures: Fixtures
  readonly optionsOf: (situation: ClientSituation) => Omit<ClientOptions, 'stop' | 'hurry'>
}

export async function prepareRuns(flags: Invocation<RehearseValues>): Promise<Loading<PreparedRuns>> {
  const { values, words, sources, io } = flags
  const command = commandOf(words)
  const isOfProject = (name: string) => flags.project?.flags.has(name) === true
  const pathOf = (name: 'fixtures' | 'openapi') => {
    const path = values[name]
    return path === undefined || isOfProject(name) ? path : typedPath(path, io.env)
  }
  const fixtures = await loadFixtures(pathOf('fixtures'), sources.fixtures)
  const openapi = await loadContract(pathOf('openapi'), sources.openapi, values['openapi-only'], fixtures)
  const complaints = [
    ...checkCommand('rehearse', command),
    ...unknownIds(values['fail-on'], conductIds, sources['fail-on']),
    ...complaintsOf(fixtures, openapi),
  ]
  if (!fixtures.ok || !openapi.ok || complaints.length > 0) return failed(...complaints)
  const masked = (line: readonly string[]) => maskFreeText(shellWords(line), createSecrets(values.mask))
  const typed = masked(['pet-mock', 'rehearse', ...flags.typedWords, '--', ...command])
  const value = {
    command: { words: command, shown: masked(command), typed },
    fixtures: fixtures.value,
    optionsOf: createOptions(command, values, fixtures.value, openapi.value),
  }
  return { ok: true, value }
}

function createOptions(
  command: readonly string[],
  { timeout: timeoutMs, env, scale, cors, mask, ...others }: RehearseValues,
  fixtures: Fixtures,
  openapi: OpenApi | undefined,
): PreparedRuns['optionsOf'] {
  const serve = { cors, mask, 'allowed-hosts': others['allowed-hosts'], 'no-marks': others['no-marks'] }
  return ({ scenario }) => ({
    command,
    timeoutMs,
    env,
    clock: scale === undefined ? situationClock(scenario, fixtures) : { scale },
    fixtures,
    openapi,
    serve,
  })
}

async function loadContract(
  path: string | undefined,
  source: string,
  only: readonly string[],
  fixtures: Loading<Fixtures>,
): Promise<Loading<OpenApi | undefined>> {
  if (path === undefined || !fixtures.ok) return { ok: true, value: undefined }
  const { loadOpenApi } = await import('../../start/load/load-openapi.ts')
  return loadOpenApi(path, source, { orders: fixtures.value.orders, only }, userFiles)
}
