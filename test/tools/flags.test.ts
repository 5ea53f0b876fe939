import { expect, test } from 'vitest'
import { parseDuration } from '../../src/base/time/duration.ts'
import {
  above0,
  matching,
  oneOf,
  readBy,
  readCommandLine,
  seed,
  several,
  wholeNumber,
  yes,
} from '../../tools/program/flags.ts'

const tool = {
  name: 'toy',
  about: 'Plays.',
  words: { noun: 'game', all: [{ name: 'chess', about: 'a board' }] },
  flags: {
    runs: wholeNumber(1)('how many', 7),
    calls: wholeNumber(2, 20)('how many', undefined),
    seconds: above0('how long', 2),
    seed: seed('repeats', 1),
    path: matching('P', 'what a failure printed', /^\d+(?::\d+)*$/)('a case', undefined),
    time: readBy(
      'T',
      'a duration such as 90s',
      text => parseDuration(text) || undefined,
    )('how long', undefined),
    load: oneOf('NAME', ['wrk', 'autocannon'])('who calls', undefined),
    room: several('NAME', 'only this room', ['attic', 'cellar']),
    write: yes('writes'),
  },
} as const

test('reads values, words and what is usual', () => {
  expect(readCommandLine(tool, ['chess', '--runs', '3', '--room', 'attic', '--room', 'cellar'])).toEqual({
    words: ['chess'],
    isHelp: false,
    values: {
      ...{
        runs: 3,
        calls: undefined,
        seconds: 2,
        seed: 1,
        path: undefined,
        time: undefined,
        load: undefined,
      },
      ...{ room: ['attic', 'cellar'], write: false },
    },
  })
  const { values } = readCommandLine(tool, ['--write', '--time', '90s', '--load', 'wrk', '--calls', '2'])
  expect(values).toMatchObject({ write: true, time: 90_000, load: 'wrk', calls: 2, room: [] })
})

test.each([
  [['--runs', '0'], /^--runs takes a whole number from 1$/],
  [['--calls', '21'], /^--calls takes a whole number from 2 to 20$/],
  [['--seconds', 'x'], /^--seconds takes a number above 0$/],
  [['--seed', '99999999999999999999'], /^--seed takes a whole number$/],
  [['--path', 'x'], /^--path takes what a failure printed$/],
  [['--time', 'soon'], /^--time takes a duration such as 90s$/],
  [['--load', 'ab'], /^--load takes wrk or autocannon$/],
  [['--room', 'toString'], /^--room takes attic or cellar$/],
  [
    ['go'],
    /^there is no game go\n\nnpm run toy -- \[GAME\.\.\.\] \[--runs N\] [\s\S]* {2}chess {2}a board\n/,
  ],
  [['--faster'], /^Unknown option '--faster'\. The flags: npm run toy -- --help$/],
  [['--runs', '-1'], /^Option '--runs' takes a value, and that begins with no dash\. The flags: /],
])('refuses %j', (args, problem) => {
  expect(() => readCommandLine(tool, args)).toThrow(problem)
})

test('refuses a word if the tool takes none', () => {
  const read = () => readCommandLine({ name: 'toy', about: '', flags: {} }, ['more'])
  expect(read).toThrow(/^Unexpected argument 'more'\. The flags: /)
})
