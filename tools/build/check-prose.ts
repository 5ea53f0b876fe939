/*
 * Lists the wordings that made this project hard to read, so that they stay away. Run by `npm run check`. It reads code,
 * comments, messages, test titles and the pages below; generated files and records of decisions are left out.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const pages = [
  'src',
  'scenarios',
  'fixtures',
  'openapi.yaml',
  'README.md',
  'CHANGELOG.md',
  ':(glob)docs/*.md',
  ':(glob)docs/contributors/*.md',
  // Its figures and their titles are generated.
  ':(exclude)docs/contributors/performance.md',
  'examples',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'llms.txt',
  'skills',
]

const patterns: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /\b(?:tells?|telling|told (?:of|to|that|by)|(?:is|are|was|were|be|been) told)\b|\btell[A-Z]\w*/,
    'say, return or print',
  ],
  [/\bwho(?:m|so)?ever\b|\bwhichever\b/i, 'name the person or thing'],
  [/\bmade[- ]up\b|\bmakes? up\b/, 'injected (by a rule) or generated (pets)'],
  [/\b(?:story|stories|theatre)\b|\b[Ss]tory[A-Z]/, 'walkthrough'],
  [
    /\bis to (?:hold|be|have|get|see)\b|\bare to (?:hold|be|have|get|see)\b/,
    'must, or the plain present tense',
  ],
  [/\bso many\b/, 'name the number'],
  [/\bof which\b/, 'split the sentence'],
  [/\bin the place of\b|\bin its place\b/, 'instead of'],
  [/\bcomes? to nothing\b|\bwhat comes of\b/, 'fails, or the result'],
  [/\bthat there (?:are|is) (?:none|no)\b/, 'say what is missing'],
  [/\bfor who\b|\bbe it\b|\bas it is (?:told|said)\b/i, 'say who does what'],
  [/\bbears?\b/, 'has or carries'],

  [/\bof (?:its|their|the user's|nobody's) own accord\b|\bof nobody\b/, 'say who'],
]

/** A line of a test that has its title. */
const title = /\b(?:test|it|describe)(?:\.\w+)*(?:\(.*\))?\(\s*['"`]|^\s*\)\(['"`]/

const listFiles = (...paths: string[]) =>
  execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' })
    .trim()
    .split('\n')
const tests = listFiles('test/**/*.test.ts', 'test/**/*.test.tsx')
const found = [...listFiles(...pages), ...tests].flatMap(file =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      (tests.includes(file) && !title.test(line) ? [] : patterns).flatMap(([pattern, advice]) => {
        const match = pattern.exec(line)
        return match === null
          ? []
          : [`${file}:${index + 1}:${match.index + 1}: "${match[0]}" is hard to read; use: ${advice}`]
      }),
    ),
)
process.stdout.write(found.map(line => `${line}\n`).join(''))
process.exitCode = found.length > 0 ? 1 : 0
