import { maxPetCount } from '../emulator/constraints.ts'
import { flag, isOn, many, one, right, type ValuesOf } from './flag.ts'
import {
  type ClockChoice,
  type KeyOfPlan,
  type LogFormat,
  readClock,
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
  clock: flag<ClockChoice | undefined>({
    variable: 'PET_MOCK_CLOCK',
    value: 'ISO|frozen',
    group: situation,
    about: 'start at an instant, such as 2030-12-04T23:59:00Z, or stand still [real time]',
    fallback: undefined,
    read: one(readClock),
  }),
  key: flag<readonly KeyOfPlan[]>({
    variable: 'PET_MOCK_KEYS',
    value: 'NAME=PLAN',
    group: situation,
    about: 'an API key of your own, beside the shipped ones; may be repeated',
    fallback: [],
    read: many(readKey),
  }),
  pets: flag<number | undefined>({
    variable: 'PET_MOCK_PETS',
    value: 'N',
    group: situation,
    about: 'how many pets there are [100, or all of --fixtures]',
    fallback: undefined,
    read: one(wholeNumber('a number of pets', maxPetCount)),
  }),
  seed: flag<number | undefined>({
    variable: 'PET_MOCK_SEED',
    value: 'N',
    group: situation,
    about: 'what all chance comes from: the same seed, the same pets [1]',
    fallback: undefined,
    read: one(wholeNumber('a whole number', Number.MAX_SAFE_INTEGER)),
  }),
  fixtures: flag<string | undefined>({
    variable: 'PET_MOCK_FIXTURES',
    value: 'DIR',
    group: situation,
    about: 'a directory with a pets.yaml, keys.yaml, categories.yaml or orders.yaml of yours',
    fallback: undefined,
    read: one(right),
  }),
  watch: flag<boolean>({
    variable: 'PET_MOCK_WATCH',
    value: '',
    group: situation,
    about: 'read the scenario file, what it extends, and the fixtures again when they change',
    fallback: false,
    read: isOn,
  }),
  state: flag<string | undefined>({
    variable: 'PET_MOCK_STATE',
    value: 'FILE',
    group: situation,
    about: 'keep everything in a file, and go on from it at the next start',
    fallback: undefined,
    read: one(right),
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
  'no-marks': flag<boolean>({
    variable: 'PET_MOCK_NO_MARKS',
    value: '',
    group: door,
    about: 'leave X-Pet-Mock out of replies that a rule or a Prefer header made up',
    fallback: false,
    read: isOn,
  }),
  'admin-token': flag<string | undefined>({
    variable: 'PET_MOCK_ADMIN_TOKEN',
    value: 'TOKEN',
    group: door,
    about: 'what callers of /__admin must show; without it, only this machine may call there',
    fallback: undefined,
    read: one(readToken),
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
