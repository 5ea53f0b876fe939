import { wholeNumbers } from '../../base/text/constraint.ts'
import { petCounts, seeds } from '../../emulator/worlds/constraints.ts'
import { flag, many, one, optional, right, toggle, type ValuesOf } from './flag.ts'
import {
  type ContractChoice,
  contractModes,
  type KeyOfPlan,
  type LogFormat,
  logFormats,
  numberOf,
  readClock,
  readHost,
  readHostNames,
  readKey,
  readOrigins,
  readToken,
  wordOf,
} from './flag-values.ts'

const situation = 'Scenario:'
const server = 'Server:'

/** The flags of serve. Parsing, environment variables, --help and messages all use this table. */
export const serveFlags = {
  scenario: flag<string>({
    alias: 's',
    variable: 'PET_MOCK_SCENARIO',
    value: 'NAME|FILE',
    group: situation,
    about: 'a shipped scenario, or your own YAML or JSON file',
    fallback: 'free-plan',
    read: one(right),
  }),
  clock: optional({
    variable: 'PET_MOCK_CLOCK',
    value: 'ISO|frozen',
    group: situation,
    about: 'start the clock at an instant such as 2030-12-04T23:59:00Z, or freeze it [real time]',
    parse: readClock,
  }),
  key: flag<readonly KeyOfPlan[]>({
    variable: 'PET_MOCK_KEYS',
    value: 'NAME=PLAN',
    group: situation,
    about: 'add an API key with this plan; repeatable',
    fallback: [],
    read: many(readKey),
  }),
  pets: optional({
    variable: 'PET_MOCK_PETS',
    value: 'N',
    group: situation,
    about: 'the number of pets [100, or all pets of --fixtures]',
    parse: numberOf(petCounts),
  }),
  seed: optional({
    variable: 'PET_MOCK_SEED',
    value: 'N',
    group: situation,
    about: 'the seed of all randomness: the same seed generates the same pets [1]',
    parse: numberOf(seeds),
  }),
  fixtures: optional({
    variable: 'PET_MOCK_FIXTURES',
    value: 'DIR',
    group: situation,
    about: 'a directory with your own pets.yaml, keys.yaml, categories.yaml or orders.yaml',
    parse: right,
  }),
  openapi: optional({
    variable: 'PET_MOCK_OPENAPI',
    value: 'FILE',
    group: situation,
    about: 'also serve the operations that this OpenAPI 3 file adds',
    parse: right,
  }),
  watch: toggle({
    variable: 'PET_MOCK_WATCH',
    group: situation,
    about: 'reload the scenario, fixtures and OpenAPI files when they change',
  }),
  state: optional({
    variable: 'PET_MOCK_STATE',
    value: 'FILE',
    group: situation,
    about: 'save everything to this file, and restore it at the next start',
    parse: right,
  }),
  port: flag<number>({
    alias: 'p',
    variable: 'PET_MOCK_PORT',
    value: 'PORT',
    group: server,
    about: 'the port to listen on; 0 picks a free one',
    fallback: 7387,
    read: one(numberOf(wholeNumbers('a port from 0 to 65535', 0, 65_535))),
  }),
  host: flag<string>({
    variable: 'PET_MOCK_HOST',
    value: 'HOST',
    group: server,
    about: 'the address to listen on; 0.0.0.0 lets other machines connect',
    fallback: '127.0.0.1',
    read: one(readHost),
  }),
  cors: flag<readonly string[] | '*' | undefined>({
    variable: 'PET_MOCK_CORS',
    value: 'ORIGINS',
    group: server,
    about: 'origins whose pages may read responses, or * for all [those of this machine]',
    fallback: undefined,
    read: readOrigins,
  }),
  'allowed-hosts': flag<readonly string[] | '*'>({
    variable: 'PET_MOCK_ALLOWED_HOSTS',
    value: 'NAMES',
    group: server,
    about: 'more host names that requests may use, or * for all',
    fallback: [],
    read: readHostNames,
  }),
  'no-marks': toggle({
    variable: 'PET_MOCK_NO_MARKS',
    group: server,
    about: 'omit the header X-Pet-Mock from injected responses',
  }),
  'admin-token': optional({
    variable: 'PET_MOCK_ADMIN_TOKEN',
    value: 'TOKEN',
    group: server,
    about: 'require this token at /__admin; without one, only this machine has access',
    parse: readToken,
  }),
  contract: flag<ContractChoice>({
    variable: 'PET_MOCK_CONTRACT',
    value: contractModes.join('|'),
    group: server,
    about: 'check every exchange against the contract; error makes exec fail',
    fallback: 'off',
    read: one(wordOf(contractModes)),
  }),
  'log-format': flag<LogFormat>({
    variable: 'PET_MOCK_LOG_FORMAT',
    value: logFormats.join('|'),
    group: server,
    about: 'the format of the log; silent prints only the base URL, and only with --port 0',
    fallback: 'pretty',
    read: one(wordOf(logFormats)),
  }),
}

export type ServeValues = ValuesOf<typeof serveFlags>
