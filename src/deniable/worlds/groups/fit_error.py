"""How far posteriors with fitted weights can be from those with the weights that fit exactly: a proof.

W are some weights, P the chances they give to the worlds of all groups (independent of each other), K(s,x) the counts
of the whole release, E K what P expects, T what should be expected, d = T - E K. Sums of d over the counts that no
world changes are 0 by construction. Let S be the covariance of K and let A <= S (as quadratic forms) be one that we
know, zero exactly on the directions in which no count varies (`pairs`). A = D B D with D diagonal; where B >= sigma on
all other directions, S h = d has a solution, and |D h| <= |d / D| / sigma.
- Q, which weighs each world of a group g by 1 + h (K_g - E K_g) more than P does, is a distribution if that is
  positive, which |h| <= 1 / (4 people of the largest group) ensures. Its counts are E K + S h = T. So T can be had by
  positive weights on the same worlds: the weights that fit exactly exist; P* are their chances.
- KL(Q, P) <= chi2 of Q and P, summed over groups, = h S h = d S^-1 d <= |d / D|^2 / sigma =: c.
- P and P* are of one exponential family with the statistics K, and Q has the same E K as P*. So
  KL(Q, P) = KL(Q, P*) + KL(P*, P), and KL(P*, P) <= c. Groups are independent under both, and those that are alike have
  equal chances: J groups of one shape have KL(P*_g, P_g) <= c / J each.
- A posterior is the chance of an event of its group: with p, p* for P, P*, kl(p*, p) <= c / J. As kl(p*, p) =
  (p* - p)^2 / (2 z (1 - z)) for some z between, |p* - p| <= e with e = c/J + sqrt((c/J)^2 + 2 min(p, 1-p) c/J).

Sigma. If Cholesky's algorithm runs to its end on B + G - sigma in floating point, G a projection on the directions
in which B is zero, then B + G >= sigma - 3 n (n + 4) 2^-53 max(B + G) (Rump 2006), and B itself on all others. The
entries of B are sums of numbers, each added as often as the row has additions, at most, and none larger than what it
adds to the diagonal.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Floats, Int64s

_UNIT = 2.0**-53
_TRIED = (1e-3, 1e-5, 1e-7)  # sigmas


@frozen
class FitError:
    """The c of the module: infinite where nothing is proved."""

    c: float

    def around(self, value: Floats, alike: Floats) -> Floats:
        """How far posteriors may be from `value`, in shapes that so many groups have."""
        one = self.c / alike
        away: Floats = one + np.sqrt(one * one + 2.0 * np.minimum(value, 1.0 - value) * one)
        return away * (1.0 + 1e-9)


NOT_PROVED = FitError(np.inf)


def gauges(rows: Int64s, kinds: Int64s) -> Floats:
    """The directions in which no count of a block varies, by cell: a signature's counts add up to its people, those of
    a kind of values to its copies. One of them follows from the others."""
    directions = [rows == row for row in np.unique(rows)] + [kinds == kind for kind in np.unique(kinds)[1:]]
    return np.array(directions, np.float64).reshape(-1, len(rows))


def project(directions: Floats, scale: Floats) -> Floats:
    """G for B: the projection on what B = A / (scale scale) does not change."""
    spanned, _ = np.linalg.qr((directions * scale).T)
    onto: Floats = spanned @ spanned.T
    return onto


def fit_error(below: Floats, added: Int64s, directions: Floats, distance: Floats, largest: int) -> FitError:
    """What is proved. `below`: A, which is changed; `added`: how many additions each row of it has; `distance`: |d| at
    most, by cell; `largest`: how many people the largest group has."""
    diagonal, n = below.diagonal().copy(), len(below)
    if not n:
        return FitError(0.0)
    if not (diagonal > 0.0).all():
        return NOT_PROVED
    scale: Floats = np.asarray(
        2.0 ** np.round(np.log2(np.sqrt(diagonal))), np.float64
    )  # powers of two: nothing is rounded
    below /= scale
    below /= scale[:, None]
    most = float(below.diagonal().max())
    below += project(directions, scale)
    # Roundings: of sums; of the projection, which need not vanish exactly where it should; of Cholesky's algorithm.
    slack = n * (int(added.max()) + 64 * (len(directions) + n)) * _UNIT * most + 3 * n * (n + 4) * _UNIT * (most + 1)
    moved = float(((distance / scale) ** 2).sum())
    for sigma in _TRIED:
        if sigma > 2 * slack and _is_above(below, sigma):
            proved = sigma - slack
            steps = np.sqrt(moved) / proved / scale.min()
            if 2 * largest * steps <= 0.5:
                return FitError(moved / proved * (1 + 1e-6))
            return NOT_PROVED
    return NOT_PROVED


def _is_above(matrix: Floats, sigma: float) -> bool:
    """Whether Cholesky's algorithm takes it with sigma less on the diagonal."""
    places = np.arange(len(matrix))
    matrix[places, places] -= sigma
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    finally:
        matrix[places, places] += sigma
    return True
