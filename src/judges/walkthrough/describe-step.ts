import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type Command, type Step, timesOf } from '../../control/scenario/file.ts'
import { clip } from '../../service/call/echo.ts'

/** A step in one line; empty if it is only a note. */
export function describeStep(step: Step): string {
  if ('call' in step) {
    const times = timesOf(step)
    const how = times === 1 ? '' : ` ×${times}${step.parallel === undefined ? '' : ' at once'}`
    const key =
      step.key === null ? ', without a key' : step.key === undefined ? '' : `, with the key ${step.key}`
    return `${clip(step.call, 70)}${how}${key}`
  }
  if ('advance' in step) return `advance ${step.advance}`
  return 'change' in step ? describeChange(step.change) : ''
}

function describeChange({ do: name, ...fields }: Command): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const words = present.map(([field, value]) => {
    return `${field} ${typeof value === 'string' ? value : clip(writeJson(value as JsonValue), 40)}`
  })
  return [name, ...words].join(' ')
}
