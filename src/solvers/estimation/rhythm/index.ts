export { chooseGroupRhythms, chooseRhythm, type GroupRhythm, type RhythmChoice } from './choose-rhythm.ts';
export type { CourseMeans, DescribedCourse } from './describe-course.ts';
export type { RhythmLog } from './placed-checks.ts';
export { RhythmClock, utc, type WallClock } from './rhythm-clock.ts';
