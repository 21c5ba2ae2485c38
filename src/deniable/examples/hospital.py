"""A hospital's discharge table, made by a seeded script: 4,000 people, one row each.

Ages thin out towards the top, postcodes differ in size and diagnoses depend on age and
ward, so some people stand alone in what is published and most do not.
"""

from __future__ import annotations

import csv
import io
import random

PEOPLE = 4_000
SEED = 20_061_030

_WARDS = {
    "medicine": ("Pneumonia", "Hypertension", "Diabetes", "Heart failure", "Asthma", "Sepsis"),
    "surgery": ("Appendicitis", "Hernia", "Fracture", "Gallstones"),
    "oncology": ("Breast cancer", "Lung cancer", "Leukaemia", "Lymphoma"),
    "infectious": ("HIV", "Hepatitis B", "Tuberculosis"),
    "psychiatry": ("Depression", "Schizophrenia", "Alcohol dependence"),
}
_POSTCODES = ("01201", "01202", "01220", "01230", "01235", "01240", "01245", "01253")

RELEASE = """\
# What the hospital means to publish: who was here, and what was treated.
table: hospital.csv
identifier: person
private: diagnosis
views:
  visitors: SELECT person, age, postcode, sex FROM hospital
  cases: SELECT age, postcode, sex, ward, diagnosis FROM hospital
require:
  breach: {at_most: 0.5}
"""


def rows(people: int = PEOPLE, seed: int = SEED) -> list[tuple[str, int, str, str, str, str]]:
    """The table's rows: person, age, postcode, sex, ward, diagnosis."""
    rng = random.Random(seed)
    made = []
    for number in range(1, people + 1):
        age = min(99, int(rng.triangular(0, 100, 58)))
        postcode = rng.choices(_POSTCODES, weights=[9, 8, 6, 4, 3, 2, 1, 1])[0]
        sex = rng.choice("FM")
        weights = [6, 4, 1 + age / 25, 1, 1.5]
        ward = rng.choices(list(_WARDS), weights=weights)[0]
        made.append((f"P{number:05}", age, postcode, sex, ward, rng.choice(_WARDS[ward])))
    return made


def texts() -> dict[str, str]:
    """hospital.csv and hospital.yaml, the release file."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("person", "age", "postcode", "sex", "ward", "diagnosis"))
    writer.writerows(rows())
    return {"hospital.csv": file.getvalue(), "hospital.yaml": RELEASE}
