import type { Command } from '../../control/change/command.ts'
import type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'

type Change = Command<ScenarioFile, RuleFields>

/** The story's keys as the server that it is played against is to see them. */
export interface Translation {
  /** The one that the whole story is played in. */
  readonly sandbox: string | undefined
  /** Names and values in turn. */
  readonly translateHeaders: (headers: readonly string[]) => readonly string[]
  readonly translateCommand: (command: Change) => Change
}

/** Another key in the place of the story's, and all of them in one sandbox: the one that it names. */
export function createTranslation({
  storyKey,
  key,
}: {
  readonly storyKey: string
  readonly key: string
}): Translation {
  const plus = key.lastIndexOf('+')
  const sandbox = plus === -1 ? undefined : key.slice(plus + 1)
  const plain = plus === -1 ? key : key.slice(0, plus)
  const translateBearer = (bearer: string) => {
    const text = bearer.slice('Bearer '.length)
    if (text === storyKey) return `Bearer ${key}`
    return sandbox === undefined ? bearer : `${bearer}+${sandbox}`
  }
  return {
    sandbox,
    translateHeaders: headers =>
      headers.map((text, at) =>
        headers[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1 && text.startsWith('Bearer ')
          ? translateBearer(text)
          : text,
      ),
    translateCommand: command =>
      'key' in command && command.key === storyKey ? { ...command, key: plain } : command,
  }
}
