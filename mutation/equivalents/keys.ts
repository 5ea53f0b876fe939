import { alwaysInMatch, cacheBound, type Equivalent, inFile, onlyFaster } from './equivalent.ts'

const emptySecret = 'an empty secret is shown as it is'
const noJson = 'differs only for texts that are no JSON, and masks no less'
const noWord = 'no list has this word'
const otherIdentity = 'another name of the same secret, which nobody sees'

export const inTheKeys: readonly Equivalent[] = [
  ...inFile(
    'src/service/keys/mask-text.ts',
    onlyFaster,
    ['!/[@=:>]/.test(text)', 'false'],
    ["!text.includes('://')", 'false'],
    ["!text.includes('\\\\')", 'false'],
    ["!text.includes('%')", 'false'],
  ),
  ...inFile('src/service/keys/mask.ts', onlyFaster, ['names.length === 0', 'false']),
  ...inFile(
    'src/service/keys/secret-names.ts',
    'a bound of the memory of a cache',
    ['known.size < mostKnown && name.length <= 100', 'true'],
    ['known.size < mostKnown', 'true'],
    ['name.length <= 100', 'true'],
  ),
  ...inFile('src/service/keys/credential.ts', 'no header holds a line end', [
    '/^bearer +(.*)$/i',
    '/^bearer +(.*)/i',
  ]),
  ...inFile(
    'src/service/keys/mask-text.ts',
    onlyFaster,
    ['!/[@=:>]/.test(text)', 'false'],
    ['/[@=:>]/', '/[^@=:>]/'],
    ["!text.includes('://')", 'false'],
    ["'://'", '""'],
    ['end === 0', 'false'],
    ["!text.includes('\\\\')", 'false'],
    ["'\\\\'", '""'],
    ["!text.includes('%')", 'false'],
    ["'%'", '""'],
  ),
  ...inFile('src/service/keys/mask-text.ts', 'an escape has four digits, and what is none masks no less', [
    '/(?<![\\p{L}\\p{N}])\\\\{0,4}"((?:[^"\\\\]|\\\\u[0-9a-fA-F]{4}){1,100})\\\\{0,4}"\\s*:\\s*/gu',
    '/(?<![\\p{L}\\p{N}])\\\\{0,4}"((?:[^"\\\\]|\\\\u[0-9a-fA-F]){1,100})\\\\{0,4}"\\s*:\\s*/gu',
  ]),
  ...inFile('src/service/keys/mask-text.ts', 'what is sent has a quote only as its first character', [
    '/^["\']/',
    '/["\']/',
  ]),
  ...inFile(
    'src/service/keys/mask-text.ts',
    emptySecret,
    ["value === ''", 'false'],
    ["''", '"Stryker was here!"'],
    ["value !== ''", 'true'],
  ),
  ...inFile('src/service/keys/mask-text.ts', alwaysInMatch, ["''", '"Stryker was here!"']),
  ...inFile('src/service/keys/mask-text.ts', 'each notation says what to show', [
    'text.slice(at, masked.end)',
    'text',
  ]),
  ...inFile(
    'src/service/keys/mask-text.ts',
    noJson,
    [
      '/(\\\\*")(?:\\\\.|[^\\\\])*?(?:\\1|$)|[^\\s"{}[\\],:\\\\]+|[{}[\\],:]|\\s+|\\\\+/gsy',
      '/(\\\\*")(?:\\\\.|[^\\\\])*?(?:\\1|$)|[^\\s"{}[\\],:\\\\]+|[{}[\\],:]|\\s|\\\\+/gsy',
    ],
    [
      '/(\\\\*")(?:\\\\.|[^\\\\])*?(?:\\1|$)|[^\\s"{}[\\],:\\\\]+|[{}[\\],:]|\\s+|\\\\+/gsy',
      '/(\\\\*")(?:\\\\.|[^\\\\])*?(?:\\1|$)|[^\\s"{}[\\],:\\\\]+|[{}[\\],:]|\\s+|\\\\/gsy',
    ],
    ['/^[\\]},:]$/', '/^[\\]},:]/'],
    ['/^[{[]$/', '/[{[]$/'],
    ['/^[{[]$/', '/^[{[]/'],
    ['/^[\\]}]$/', '/[\\]}]$/'],
    ['/^[\\]}]$/', '/^[\\]}]/'],
    ["token.trim() !== ''", 'true'],
    ["token.trim() !== ''", "token.trim() === ''"],
    ['token.trim()', 'token'],
    ["''", '"Stryker was here!"'],
    ['/^-?\\d/', '/-?\\d/'],
  ),
  ...inFile('src/service/keys/mask-text.ts', 'only the first characters of a label differ', [
    "quote === '\"'",
    'true',
  ]),
  ...inFile('src/service/keys/mask.ts', 'a name that nobody sends', ['[]', '["Stryker was here"]']),
  ...inFile(
    'src/service/keys/mask.ts',
    otherIdentity,
    ['secret.length <= 64', 'true'],
    ['secret.length <= 64', 'false'],
    ['secret.length <= 64', 'secret.length < 64'],
    ['secret.length <= 64', 'secret.length > 64'],
    ['at < secret.length', 'at <= secret.length'],
    ['secret.slice(-16)', 'secret'],
    ['-16', '+16'],
  ),
  ...inFile('src/service/keys/mask.ts', onlyFaster, ['words.length === 0', 'false']),
  ...inFile('src/service/keys/secret-names.ts', 'the filter removes what is empty', [
    '/[^\\p{L}\\p{N}]+/u',
    '/[^\\p{L}\\p{N}]/u',
  ]),
  ...inFile(
    'src/service/keys/secret-names.ts',
    cacheBound,
    ['known.size < mostKnown && name.length <= 100', 'true'],
    ['known.size < mostKnown && name.length <= 100', 'known.size < mostKnown || name.length <= 100'],
    ['known.size < mostKnown', 'true'],
    ['known.size < mostKnown', 'known.size <= mostKnown'],
    ['name.length <= 100', 'true'],
    ['name.length <= 100', 'name.length < 100'],
  ),
  ...inFile('src/service/keys/secret-names.ts', noWord, ["''", '"Stryker was here!"']),
]
