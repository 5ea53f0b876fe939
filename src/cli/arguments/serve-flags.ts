import { maxPetCount } from '../../emulator/worlds/constraints.ts'
import { flag, many, one, optional, right, toggle, type ValuesOf } from './flag.ts'
import {
  type ContractChoice,
  type KeyOfPlan,
  type LogFormat,
  readClock,
  readContractMode,
  readHost,
  readHostNames,
  readKey,
  readLogFormat,
  readOrigins,
  readToken,
  wholeNumber,
} from './flag-values.ts'

const situation = 'The situation:'
const door = 'The server:'

/** The flags of serve. What yargs reads, the environment twins, --help and the messages all come from this table. */
export const serveFlags = {
  scenario: flag<string>({
    alias: 's',
    variable: 'PET_MOCK_SCENARIO',
    value: 'NAME|FILE',
    group: situation,
    about: 'a shipped scenario, or a YAML or JSON file of yours [free-plan]',
    fallback: 'free-plan',
    read: one(right),
  }),
  clock: optional({
    variable: 'PET_MOCK_CLOCK',
    value: 'ISO|frozen',
    group: situation,
    about: 'start at an instant, such as 2030-12-04T23:59:00Z, or stand still [real time]',
    parse: readClock,
  }),
  key: flag<readonly KeyOfPlan[]>({
    variable: 'PET_MOCK_KEYS',
    value: 'NAME=PLAN',
    group: situation,
    about: 'an API key of your own, beside the shipped ones; may be repeated',
    fallback: [],
    read: many(readKey),
  }),
  pets: optional({
    variable: 'PET_MOCK_PETS',
    value: 'N',
    group: situation,
    about: 'how many pets there are [100, or all of --fixtures]',
    parse: wholeNumber('a number of pets', maxPetCount),
  }),
  seed: optional({
    variable: 'PET_MOCK_SEED',
    value: 'N',
    group: situation,
    about: 'what all chance comes from: the same seed, the same pets [1]',
    parse: wholeNumber('a whole number', Number.MAX_SAFE_INTEGER),
  }),
  fixtures: optional({
    variable: 'PET_MOCK_FIXTURES',
    value: 'DIR',
    group: situation,
    about: 'a directory with a pets.yaml, keys.yaml, categories.yaml or orders.yaml of yours',
    parse: right,
  }),
  openapi: optional({
    variable: 'PET_MOCK_OPENAPI',
    value: 'FILE',
    group: situation,
    about: 'an OpenAPI 3 file of yours: what it adds to the service is served, too',
    parse: right,
  }),
  watch: toggle({
    variable: 'PET_MOCK_WATCH',
    group: situation,
    about: 'read the scenario file, what it extends, the fixtures and the contract again when they change',
  }),
  state: optional({
    variable: 'PET_MOCK_STATE',
    value: 'FILE',
    group: situation,
    about: 'keep everything in a file, and go on from it at the next start',
    parse: right,
  }),
  port: flag<number>({
    alias: 'p',
    variable: 'PET_MOCK_PORT',
    value: 'PORT',
    group: door,
    about: 'where it listens; 0 is any free port [7387]',
    fallback: 7387,
    read: one(wholeNumber('a port', 65_535)),
  }),
  host: flag<string>({
    variable: 'PET_MOCK_HOST',
    value: 'HOST',
    group: door,
    about: 'the address it listens on; 0.0.0.0 lets other machines in [127.0.0.1]',
    fallback: '127.0.0.1',
    read: one(readHost),
  }),
  cors: flag<readonly string[] | '*' | undefined>({
    variable: 'PET_MOCK_CORS',
    value: 'ORIGINS',
    group: door,
    about: 'origins whose pages may read its replies, or * for any [those of this machine]',
    fallback: undefined,
    read: readOrigins,
  }),
  'allowed-hosts': flag<readonly string[] | '*'>({
    variable: 'PET_MOCK_ALLOWED_HOSTS',
    value: 'NAMES',
    group: door,
    about: 'further host names by which it may be called, or * for any',
    fallback: [],
    read: readHostNames,
  }),
  'no-marks': toggle({
    variable: 'PET_MOCK_NO_MARKS',
    group: door,
    about: 'leave X-Pet-Mock out of replies that a rule or a Prefer header made up',
  }),
  'admin-token': optional({
    variable: 'PET_MOCK_ADMIN_TOKEN',
    value: 'TOKEN',
    group: door,
    about: 'what callers of /__admin must show; without it, only this machine may call there',
    parse: readToken,
  }),
  contract: flag<ContractChoice>({
    variable: 'PET_MOCK_CONTRACT',
    value: 'off|warn|error',
    group: door,
    about: 'hold each exchange against the contract: tell what breaks it, or fail exec for it, too [off]',
    fallback: 'off',
    read: one(readContractMode),
  }),
  'log-format': flag<LogFormat>({
    variable: 'PET_MOCK_LOG_FORMAT',
    value: 'FORMAT',
    group: door,
    about:
      'how it tells of each call: pretty, json, or silent, which with --port 0 prints the base URL [pretty]',
    fallback: 'pretty',
    read: one(readLogFormat),
  }),
}

export type ServeValues = ValuesOf<typeof serveFlags>
