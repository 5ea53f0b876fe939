import { maxDepth } from '../../base/json/read.ts'
import type { Constraint } from '../../base/text/constraint.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { clip } from '../../service/call/echo.ts'
import { showFlow, showPath, showValue } from '../files/show.ts'
import type { Fields, MapShape, NamesShape, Shape, TaggedShape, VariantsShape } from './field.ts'
import type { Problem, Problems } from './problem.ts'
import { expectation, hint, isMap, isOfKind } from './values.ts'

/** Everything that is wrong with a value. `example`: how it can be written. */
export function check(shape: Shape, value: unknown, example?: unknown): Problems {
  switch (shape.type) {
    case 'map':
      return checkMap(shape, value, example)
    case 'names':
      return checkNames(shape, value, example)
    case 'list':
    case 'pair':
      return checkList(shape, value, example)
    case 'either': {
      const option = shape.options.find(candidate => isOfKind(candidate, value))
      if (option !== undefined) return check(option, value, example)
      const choice = shape.options.find((one): one is Constraint => one.type === 'choice')
      const meant = choice === undefined ? '' : hint(choice, value)
      return meant === '' ? notMap(value, example, shape.expected) : unexpected(shape.expected, value, meant)
    }
    case 'variants':
      return checkVariants(shape, value)
    case 'tagged':
      return checkTagged(shape, value, example)
    case 'json':
      return shape.isMap && !isMap(value) ? notMap(value, example) : checkJson(value, [])
    case 'chosen':
      return check(shape.choose(value), value, example)
    default:
      return shape.accepts(value) ? none : unexpected(expectation(shape, value), value, hint(shape, value))
  }
}

type Names = readonly string[]

/** `others`: fields that only other variants of the map require. */
function checkMap(shape: MapShape, value: unknown, example: unknown, others: Names = []): Problems {
  if (!isMap(value)) return notMap(value, example)
  const { fields, nullable, needs, open, whenUnknown } = shape
  // Loops, since a snapshot holds up to a million maps.
  const problems: Problem[] = []
  for (const [name, field] of Object.entries(fields)) {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined
    if (inner === undefined && field.required) {
      const expected = expectation(field.shape, inner)
      problems.push(...complain(`${showPath([name])} is missing: expected ${expected}`, 'key'))
    } else if (inner !== undefined && (inner !== null || !nullable || field.required)) {
      const written = field.examples.find(each => typeof each === 'object')
      problems.push(...within(name, check(field.shape, inner, written)))
    }
  }
  for (const name of open ? [] : Object.keys(value)) {
    if (problems.length >= mostProblems) break
    if (!Object.hasOwn(fields, name))
      problems.push(...within(name, unknownField(name, fields, others, whenUnknown)))
  }
  if (problems.length > 0 || needs?.expected === undefined) return problems
  const given = needs.names.filter(name => value[name] !== undefined && value[name] !== null)
  return given.length === 1 ? none : complain(`expected ${needs.expected}`)
}

function unknownField(name: string, fields: Fields, others: Names, advice = ''): Problems {
  const known = Object.keys(fields)
  if (others.includes(name)) {
    const own = known.filter(field => fields[field]?.required)
    return complain(`not allowed next to ${own.join(', ')}: move it to an item of its own`, 'key')
  }
  const rest = known.length === 0 ? '; no fields are allowed here' : `; known are ${known.join(', ')}`
  return complain(`unknown field${suggest(name, known) || rest}${advice}`, 'key')
}

function checkNames(shape: NamesShape, value: unknown, example: unknown): Problems {
  if (!isMap(value)) return notMap(value, example, 'a map of names')
  const { name, each, nullable, example: one } = shape
  return collect(Object.entries(value), ([key, inner]) => {
    if (!name.accepts(key)) return within(key, complain(`expected ${name.expected} as its name`, 'key'))
    return inner === undefined || (inner === null && nullable) ? none : within(key, check(each, inner, one))
  })
}

function checkList(shape: Extract<Shape, { type: 'list' | 'pair' }>, value: unknown, example: unknown) {
  const form = shape.type === 'list' && example !== undefined ? `; write it like ${showFlow(example)}` : ''
  if (!Array.isArray(value)) return unexpected(expectation(shape, value), value, form)
  if (shape.type === 'pair' && value.length !== 2) return unexpected(shape.expected, value)
  if (shape.type === 'list' && shape.nonEmpty !== undefined && value.length === 0)
    return unexpected(shape.nonEmpty, value)
  // A bad item of an extended file leaves a hole.
  return collect(value.entries(), ([index, item]) =>
    index in value ? within(index, check(shape.each, item)) : none,
  )
}

function checkVariants({ options, expected }: VariantsShape, value: unknown): Problems {
  if (!isMap(value)) return unexpected(expected, value)
  const requiredNames = options.map(({ fields }) =>
    Object.keys(fields).filter(name => fields[name]?.required),
  )
  const isGiven = (name: string) => value[name] !== undefined
  const whole = requiredNames.findIndex(own => own.every(isGiven))
  const meant = whole < 0 ? requiredNames.findIndex(own => own.some(isGiven)) : whole
  const index = Math.max(0, meant)
  const option = options[index]
  if (option === undefined) return unexpected(expected, value)
  const others = requiredNames.flat().filter(name => !requiredNames[index]?.includes(name))
  return checkMap(option, value, undefined, others)
}

function checkTagged({ tag, options }: TaggedShape, value: unknown, example: unknown): Problems {
  if (!isMap(value)) return notMap(value, example)
  const name = value[tag]
  const known = Object.keys(options)
  const option = known.includes(`${name}`) ? options[`${name}`] : undefined
  if (option !== undefined) return checkMap(option, value, example)
  const expected = `one of ${known.join(', ')}`
  if (name === undefined) return complain(`${tag} is missing: expected ${expected}`, 'key')
  return within(tag, unexpected(expected, name, typeof name === 'string' ? suggest(name, known) : ''))
}

/** Programs can write values that JSON cannot hold. */
function checkJson(value: unknown, above: readonly unknown[]): Problems {
  if (value === null || ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value))
    return none
  if (!Array.isArray(value) && !isMap(value)) return unexpected('a JSON value', nameOf(value))
  if (above.includes(value)) return complain('circular reference, which JSON cannot hold')
  if (above.length >= maxDepth) return complain(`nested more than ${maxDepth} deep`)
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return collect<readonly [string | number, unknown]>(inner, ([name, part]) =>
    within(name, checkJson(part, [...above, value])),
  )
}

/** The kind of a value that JSON does not have; a number such as NaN is shown as it is. */
function nameOf(value: unknown): unknown {
  if (typeof value === 'number' || value === undefined) return value
  return Object.prototype.toString.call(value).slice('[object '.length, -1).toLowerCase()
}

/** For a map that is written as something else: the likeliest slip, or how it is written. */
function notMap(found: unknown, example: unknown, expected = 'a map of fields'): Problems {
  if (!/a map of (?:fields|names)$/.test(expected)) return unexpected(expected, found)
  const [, name, value] = (typeof found === 'string' && /^([\w.+~-]+):(?!\/\/)(\S.*)$/.exec(found)) || []
  if (name !== undefined)
    return unexpected(expected, found, `: add a space after the colon, as in ${clip(`${name}: ${value}`)}`)
  return unexpected(expected, found, example === undefined ? '' : `; write it like ${showFlow(example)}`)
}

function unexpected(expected: string, found: unknown, ending = ''): Problems {
  return complain(`expected ${expected}, found ${showValue(found)}${ending}`)
}

const none: Problems = Object.freeze([])

/** Of one map or list. Nobody reads more, and a hostile file would fill the memory. */
const mostProblems = 1_000

function collect<T>(items: Iterable<T>, checkItem: (item: T) => Problems): Problems {
  const problems: Problem[] = []
  for (const item of items) {
    for (const problem of checkItem(item)) problems.push(problem)
    if (problems.length >= mostProblems) break
  }
  return problems
}

function complain(message: string, part: 'key' | 'value' = 'value'): Problems {
  return [{ path: [], message, part }]
}

/** What is wrong with a part of a value, as seen from the value. */
function within(name: string | number, problems: Problems): Problems {
  return problems.length === 0
    ? problems
    : problems.map(problem => ({ ...problem, path: [name, ...problem.path] }))
}
