import { choices } from '../../../base/text/constraint.ts'
import { check } from '../../../control/fields/check.ts'
import {
  type Field,
  type Fields,
  type MapShape,
  required,
  type TaggedShape,
} from '../../../control/fields/field.ts'
import { about } from '../../../control/files/show.ts'
import type { Command, CommandName } from '../../../control/scenario/file.ts'
import { command as commands } from '../../../control/scenario/settings/scenario-file.ts'
import { fieldsToSend } from '../../../doors/admin/fields-to-send.ts'
import { changes, declareTool, type Input, keyField, type Tool } from './tool.ts'

interface CommandTool {
  readonly name: string
  readonly about: string
  /** With several, the field `do` chooses. */
  readonly do: readonly [CommandName, ...CommandName[]]
  readonly isIdempotent: boolean
}

/** A tool that sends one of these commands. Its fields, their checks and their descriptions are those of the commands. */
export function commandTool({ do: names, isIdempotent, ...declared }: CommandTool): Tool {
  const [first] = names
  const shape: TaggedShape = {
    type: 'tagged',
    tag: 'do',
    options: Object.fromEntries(names.map(option => [option, optionOf(option)])),
  }
  const toCommand = (input: Input) => (names.length === 1 ? { do: first, ...input } : input)
  return {
    ...declareTool({
      ...declared,
      hints: changes(isIdempotent),
      calls: first,
      fields: names.length === 1 ? ownFields(first) : { do: chooser(names), ...merge(names) },
      act: (input, { ask }) => {
        // The command's own shape has checked every field.
        const command = toCommand(input) as Command
        return ask(command.do, fieldsToSend(command))
      },
    }),
    problems: input => check(shape, toCommand(input)).map(({ path, message }) => about(path, message)),
  }
}

function optionOf(name: CommandName): MapShape {
  const option = commands.options[name]
  if (option === undefined) throw new Error(`There is no command ${name}`)
  return option
}

function ownFields(name: CommandName): Fields {
  const { do: _tag, key, ...fields } = optionOf(name).fields
  return { ...(key && { key: keyField(key) }), ...fields }
}

function chooser(names: readonly CommandName[]): Field {
  const about = names.map(name => `${name}: ${optionOf(name).fields.do?.about}`).join(' ')
  return required(choices(...names), about, [])
}

/** The fields of several commands. One is required if each of them requires it; else it says which commands take it. */
function merge(names: readonly CommandName[]): Fields {
  const all = names.map(name => ({ name, fields: ownFields(name) }))
  const merged: Record<string, Field> = {}
  for (const [name, field] of all.flatMap(({ fields }) => Object.entries(fields))) {
    const takers = all.filter(({ fields }) => Object.hasOwn(fields, name))
    const isCommon = takers.length === all.length
    const about = isCommon ? field.about : `${takers.map(taker => taker.name).join(', ')}: ${field.about}`
    const required = isCommon && takers.every(({ fields }) => fields[name]?.required)
    merged[name] ??= { ...field, about, required }
  }
  return merged
}
