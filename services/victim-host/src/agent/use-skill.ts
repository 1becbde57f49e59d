import { join } from 'node:path'
import type { UseReport, UseRequest } from '@landfall/contracts'
import { type Instruction, readInstructions } from './instructions.ts'
import { hiddenCommands } from './invisible.ts'
import { Session, type Starter } from './session.ts'
import { isFileOf, readFileBounded } from './skill-files.ts'
import { splitSkill } from './split-skill.ts'
import { type ToolPlace, Tools } from './tools.ts'

/**
 * The scripted agent: it loads one installed skill and does whatever the files of it say, the way a host that
 * checks nothing and a model that declines nothing would.
 *
 * Nothing here knows a fixture. What it starts stands in the installed files, except for what only a model can
 * read out of a file: for that the request says what an obeying model would do.
 */
export interface Use extends ToolPlace {
  readonly skill: string
  readonly unreadable: UseRequest['unreadable']
  readonly start: Starter
}

const markdownName = 'SKILL.md'

export async function useSkill(use: Use): Promise<UseReport['skills'][number]> {
  const session = new Session(use.skill, use.start)
  const text = readFileBounded(join(use.directory, markdownName))?.toString('utf8')
  if (text === undefined) return session.report(false)
  const { frontmatter, body, firstLine } = splitSkill(text)
  const instructions = readInstructions(body, firstLine)

  await session.hooks(frontmatter, 'SessionStart')
  await session.hooks(frontmatter, 'UserPromptSubmit')
  for (const each of instructions)
    if (each.kind === 'expand') await session.run('load', `${markdownName}:${each.line}`, each.run)

  const tools = new Tools(session, frontmatter, use)
  for (const hidden of hiddenCommands(text)) await tools.bash('obey', `${markdownName} (invisible)`, hidden)
  for (const instruction of instructions) await obey(instruction, use, session, tools)
  // An agent that works on anything at all uses a tool of its host.
  if (tools.used === 0) await tools.bash('obey', 'any use of a tool', ':')
  await session.hooks(frontmatter, 'Stop')
  return session.report(true)
}

async function obey(instruction: Instruction, use: Use, session: Session, tools: Tools): Promise<void> {
  const source = `${markdownName}:${instruction.line}`
  switch (instruction.kind) {
    case 'expand':
      return // It ran while the skill was loaded.
    case 'run':
      return await tools.bash('obey', source, instruction.run)
    case 'keep':
      return await tools.keep(source, instruction.file)
    case 'code':
      if (isFileOf(use.directory, instruction.text)) return await read(instruction.text, use, session, tools)
      return await tools.code(source, instruction.text)
  }
}

/** Reads a file of the skill, and does what it says to a model alone. */
async function read(file: string, use: Use, session: Session, tools: Tools): Promise<void> {
  const bytes = readFileBounded(join(use.directory, file))
  if (bytes === undefined || !session.reads(file)) return
  for (const hidden of hiddenCommands(bytes.toString('utf8'))) await tools.bash('obey', `${file} (invisible)`, hidden)
  for (const known of use.unreadable)
    if (known.file === file && bytes.length > 0) await tools.bash('read', `${file} (what it shows)`, known.run)
}
