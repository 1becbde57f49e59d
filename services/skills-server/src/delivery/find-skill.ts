import type { ServedSkill } from '../catalogue/served.ts'

/** By the last name of its path: what a trial's addresses call a skill, whatever it calls itself. */
export const addressName = ({ path }: Pick<ServedSkill, 'path'>): string => path.split('/').at(-1) ?? path

export function findSkill(skills: readonly ServedSkill[], name: string | undefined): ServedSkill | undefined {
  return skills.find((skill) => addressName(skill) === name)
}
