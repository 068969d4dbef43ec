export { describeAttacks, reasonsIn } from './describe-attacks';
export { describeReference, expectEveryProblem, operationsOf } from './describe-reference';
export { documentedAnswers } from './documented-answers';
export { expectReferencePage } from './expect-reference-page';
