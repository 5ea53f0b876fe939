import { expect, test } from 'vitest'
import { readOptions } from '../../mutation/options.ts'

test.each([
  [['--room', 'attic'], /^there is no room attic\n/],
  [['--room', 'toString'], /^there is no room toString\n/],
  [['--seed', '99999999999999999999'], /^--seed takes a whole number$/],
  [['--faster'], /^Unknown option '--faster'\. The flags: npm run mutation -- --help$/],
])('refuses %j', (args, problem) => {
  expect(readOptions(args)).toEqual({ problem: expect.stringMatching(problem) })
})
