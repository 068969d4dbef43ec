export { describeReference, expectEveryProblem, operationsOf } from './describe-reference';
export { documentedAnswers } from './documented-answers';
